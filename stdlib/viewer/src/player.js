// Time: play, pause, scrub, speed.
const play = '<svg viewBox="0 0 14 14"><path d="M2.5 1.2v11.6L12.5 7z"/></svg>';
const pause = '<svg viewBox="0 0 14 14"><path d="M2 1.5h3.4v11H2zM8.6 1.5H12v11H8.6z"/></svg>';
const speeds = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 10, 50];

export class Player {
  constructor(page, onTime) {
    Object.assign(this, { page, onTime, t: page.start, playing: false });
    this.button = document.getElementById("play");
    this.slider = document.getElementById("time");
    this.now = document.getElementById("now");
    const select = document.getElementById("speed");
    Object.assign(this.slider, { min: page.start, max: page.end });
    // Short runs play slowly enough to be seen, long ones do not take all day.
    const wish = page.duration > 0 ? Math.min(1, page.duration / 4) : 1;
    this.speed =
      page.duration > 120
        ? 10
        : speeds.reduce((a, b) => (Math.abs(Math.log(b / wish)) < Math.abs(Math.log(a / wish)) ? b : a));
    for (const speed of speeds) select.add(new Option(page.swing ? `${speed} Hz` : `${speed}×`, speed, false, speed === this.speed));
    select.addEventListener("change", () => (this.speed = Number(select.value)));
    this.slider.addEventListener("input", () => {
      this.pause();
      this.set(Number(this.slider.value));
    });
    this.button.addEventListener("click", () => this.toggle());
    addEventListener("keydown", (event) => this.key(event));
    this.pause();
    this.decimals = page.duration > 0 ? Math.min(6, Math.max(2, 3 - Math.floor(Math.log10(page.duration)))) : 3;
    if (!(page.duration > 0)) document.getElementById("controls").hidden = true;
  }
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select")) return;
    const step = (this.page.duration / Math.max(1, this.page.count - 1)) * (event.shiftKey ? 10 : 1);
    const actions = {
      " ": () => this.toggle(),
      ArrowLeft: () => this.jump(this.t - step),
      ArrowRight: () => this.jump(this.t + step),
      Home: () => this.jump(this.page.start),
      End: () => this.jump(this.page.end),
    };
    if (!Object.hasOwn(actions, event.key)) return;
    if (event.key === " ") document.activeElement?.blur?.();
    event.preventDefault();
    actions[event.key]();
  }
  jump(t) {
    this.pause();
    this.set(t);
  }
  set(t) {
    const { page } = this;
    this.t = Math.min(Math.max(t, page.start), page.end);
    this.slider.value = this.t;
    this.now.textContent = page.swing
      ? `${Math.round(360 * this.t)}°`
      : `${this.t.toFixed(this.decimals)} / ${page.end.toFixed(this.decimals)} s`;
    this.onTime(this.t);
  }
  toggle() {
    if (this.playing) return this.pause();
    if (this.t >= this.page.end) this.t = this.page.start;
    this.playing = true;
    this.button.innerHTML = pause;
    this.button.setAttribute("aria-label", "Pause");
    let last = performance.now();
    const step = (time) => {
      if (!this.playing) return;
      const t = this.t + (Math.max(0, Math.min(time - last, 100)) / 1000) * this.speed;
      last = time;
      // Round and round, as a mechanism does.
      this.set(t > this.page.end ? this.page.start : t);
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }
  pause() {
    this.playing = false;
    this.button.innerHTML = play;
    this.button.setAttribute("aria-label", "Play");
  }
}
