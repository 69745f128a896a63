// Canvas, camera, lights, floor: what surrounds the mechanisms.
import {
  AmbientLight,
  Color,
  DirectionalLight,
  GridHelper,
  Group,
  HemisphereLight,
  Mesh,
  OrthographicCamera,
  PCFShadowMap,
  PerspectiveCamera,
  PlaneGeometry,
  Quaternion,
  Raycaster,
  Scene,
  ShadowMaterial,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { sceneColours } from "./colours.js";
import { extent } from "./extent.js";

const viewAngle = 32; // upright, in degrees

const round = (x) => {
  const ten = 10 ** Math.floor(Math.log10(x));
  return ten * [1, 2, 5, 10].find((f) => f * ten >= x * 0.999);
};

export class World {
  // Throws where there is no WebGL.
  constructor(canvas, page, testing) {
    Object.assign(this, { canvas, page, ...extent(page), planar: page.planar });
    this.renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: testing });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = !page.planar;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.scene = new Scene();
    this.up = new Vector3().fromArray(page.up);
    this.center = this.path.getCenter(new Vector3());
    this.camera = page.planar ? new OrthographicCamera() : new PerspectiveCamera(viewAngle, 1, 1, 10);
    this.camera.up.copy(this.up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", () => this.redraw());
    this.following = this.travels && !page.compares;
    this.light();
    this.floor();
    this.recolour();
    this.resize();
    this.fit();
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
  }

  light() {
    this.sky = new HemisphereLight(0xffffff, 0x8d8d8d, 1.7);
    this.sky.position.copy(this.up);
    this.sun = new DirectionalLight(0xffffff, 2.1);
    const reach = (this.travels ? 0.6 : 0.75) * (this.travels ? this.now : this.size);
    this.sun.castShadow = !this.planar;
    this.sun.shadow.mapSize.set(2048, 2048);
    Object.assign(this.sun.shadow.camera, {
      left: -reach,
      right: reach,
      top: reach,
      bottom: -reach,
      near: 0.05 * reach,
      far: 6 * reach,
    });
    this.sun.shadow.bias = -0.0008;
    this.sun.shadow.normalBias = 0.4 * this.radius;
    this.sun.shadow.intensity = 0.6;
    this.sunOffset = this.planar
      ? new Vector3(-0.5, 0.8, 1.6)
      : new Vector3(0.35, 0.35, 0.35).addScaledVector(this.up, 1.0).normalize().multiplyScalar(3);
    this.sunOffset.multiplyScalar(reach);
    this.scene.add(this.sky, this.sun, this.sun.target, new AmbientLight(0xffffff, 0.25));
    this.aimSun(this.center);
  }
  get now() {
    return Math.max(this.start.getSize(new Vector3()).length(), 12 * this.radius);
  }
  aimSun(target) {
    this.sun.target.position.copy(target);
    this.sun.position.copy(target).add(this.sunOffset);
  }

  // In space a grid under the mechanism that takes its shadow; in the plane one behind it.
  floor() {
    const size = this.path.getSize(new Vector3()),
      span = Math.max(size.x, size.y, size.z, 1e-9);
    this.cell = round((this.travels ? this.now : span) / 9);
    const cells = 2 * Math.ceil(Math.max(0.8 * span, (this.travels ? 3 : 1) * this.now) / this.cell);
    this.grid = new Group();
    const lines = new GridHelper(cells * this.cell, Math.min(cells, 400));
    lines.material.transparent = true;
    lines.material.opacity = 0.8;
    this.grid.add(lines);
    const snap = (x) => Math.round(x / this.cell) * this.cell;
    if (this.planar) {
      this.grid.rotation.x = Math.PI / 2;
      this.grid.position.set(snap(this.center.x), snap(this.center.y), -2.2 * this.radius);
    } else {
      const corner = [this.path.min, this.path.max].flatMap(({ x, y, z }) => [
        x * this.up.x + y * this.up.y + z * this.up.z,
      ]);
      const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), this.up);
      const lowest = Math.min(...corner) - 3 * this.radius;
      this.grid.quaternion.copy(turn);
      this.grid.position.copy(this.center).addScaledVector(this.up, lowest - this.center.dot(this.up));
      const shadow = new Mesh(
        new PlaneGeometry(cells * this.cell, cells * this.cell).rotateX(-Math.PI / 2),
        new ShadowMaterial({ opacity: 0.3 }),
      );
      shadow.receiveShadow = true;
      shadow.raycast = () => {};
      this.grid.add(shadow);
    }
    lines.raycast = () => {};
    this.lines = lines;
    this.scene.add(this.grid);
  }

  recolour() {
    const colours = sceneColours();
    this.scene.background = new Color(colours.page);
    this.lines.material.vertexColors = false;
    this.lines.material.color.set(colours.grid);
    this.lines.material.needsUpdate = true;
  }

  // The whole motion in view, from the front in the plane, from a corner in space.
  fit() {
    const box = this.following && this.travels ? this.start : this.path;
    const target = box.getCenter(new Vector3()),
      size = box.getSize(new Vector3());
    const reach = Math.max(size.length() / 2, 6 * this.radius);
    this.controls.target.copy(target);
    if (this.planar) {
      this.camera.position.copy(target).add(new Vector3(0, 0, 10 * reach));
      this.half = new Vector2(
        Math.max(size.x / 2, 5 * this.radius) + 5 * this.radius,
        Math.max(size.y / 2, 5 * this.radius) + 6 * this.radius,
      );
      Object.assign(this.camera, { near: 0.01 * reach, far: 40 * reach, zoom: 1 });
    } else {
      this.fittedAspect = null;
      this.frameCamera();
      const away = new Vector3(0.72, -1, 0.48),
        plain = new Vector3(0, 0, 1);
      away.applyQuaternion(new Quaternion().setFromUnitVectors(plain, this.up)).normalize();
      const narrow = Math.min(1, this.camera.aspect || 1);
      const distance = (0.92 * reach) / Math.sin((this.camera.fov * Math.PI) / 360) / narrow;
      this.camera.position.copy(target).addScaledVector(away, distance);
      Object.assign(this.camera, { near: distance / 200, far: distance * 60 });
    }
    this.frameCamera();
    if (!this.planar) this.closeIn(this.points[box === this.start ? "start" : "path"]);
    this.fittedAspect = this.camera.aspect;
    this.controls.update();
    this.lastMiddle = null;
    this.redraw();
  }
  // Shifts and moves the camera along its direction until the points just fill the picture.
  closeIn(points) {
    const { camera, controls } = this,
      p = new Vector3(),
      side = new Vector3(),
      above = new Vector3();
    for (let round = 0; round < 4; ++round) {
      camera.lookAt(controls.target);
      camera.updateMatrixWorld();
      const slope = Math.tan((camera.fov * Math.PI) / 360),
        low = [Infinity, Infinity],
        high = [-Infinity, -Infinity];
      for (const { at, radius } of points) {
        p.copy(at).applyMatrix4(camera.matrixWorldInverse);
        const depth = Math.max(-p.z, 1e-9),
          grown = (radius + 4 * this.radius) / (slope * depth);
        [p.x / (depth * slope * camera.aspect), p.y / (depth * slope)].forEach((x, k) => {
          const room = k === 0 ? grown / camera.aspect : grown;
          low[k] = Math.min(low[k], x - room);
          high[k] = Math.max(high[k], x + room);
        });
      }
      const distance = camera.position.distanceTo(controls.target);
      side
        .setFromMatrixColumn(camera.matrixWorld, 0)
        .multiplyScalar(((low[0] + high[0]) / 2) * distance * slope * camera.aspect);
      above.setFromMatrixColumn(camera.matrixWorld, 1).multiplyScalar(((low[1] + high[1]) / 2) * distance * slope);
      const away = p
        .copy(camera.position)
        .sub(controls.target)
        .multiplyScalar(Math.max(high[0] - low[0], high[1] - low[1]) / 2 / 0.86);
      controls.target.add(side).add(above);
      camera.position.copy(controls.target).add(away);
    }
    camera.lookAt(controls.target);
    camera.updateMatrixWorld();
  }
  frameCamera() {
    this.half ??= new Vector2(1, 1);
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (this.planar) {
      const scale = Math.max(this.half.x / Math.max(width, 1), this.half.y / Math.max(height - 60, 1)) * 1.06;
      Object.assign(this.camera, {
        left: -scale * width,
        right: scale * width,
        top: scale * height,
        bottom: -scale * height,
      });
    } else {
      this.camera.aspect = width / Math.max(height, 1);
      // A picture that became narrower shows as much from side to side as before.
      const narrower = Math.max(1, (this.fittedAspect ?? 0) / this.camera.aspect),
        slope = Math.tan((viewAngle * Math.PI) / 360) * narrower;
      this.camera.fov = (Math.atan(slope) * 360) / Math.PI;
    }
    this.camera.updateProjectionMatrix();
  }
  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (!width || !height) return;
    this.renderer.setSize(width, height, false);
    this.frameCamera();
    this.draw();
  }

  // Moves the camera with the middle of what moves.
  follow(middle) {
    if ((this.following || this.followsOne) && this.lastMiddle) {
      const step = middle.clone().sub(this.lastMiddle);
      this.camera.position.add(step);
      this.controls.target.add(step);
      this.aimSun(middle);
    }
    this.lastMiddle = middle.clone();
  }

  // What is seen there, as meshes describe themselves: label, mechanism, name.
  pick(x, y) {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    this.ray ??= new Raycaster();
    this.ray.setFromCamera(new Vector2((2 * x) / width - 1, 1 - (2 * y) / height), this.camera);
    const visible = (object) => !object || (object.visible && visible(object.parent));
    return this.ray
      .intersectObjects(this.scene.children, true)
      .find((hit) => hit.object.userData.label && visible(hit.object))?.object.userData;
  }

  // Drawn once before the next frame of the screen, however often this is asked for.
  redraw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }
  draw() {
    this.renderer.render(this.scene, this.camera);
    this.onDraw?.();
  }
}
