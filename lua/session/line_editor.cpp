// SPDX-License-Identifier: MIT
#include "session/line_editor.hpp"

#include <histedit.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cwchar>
#include <filesystem>
#include <string_view>

#include "session/data_folder.hpp"

namespace perilune::lua {

namespace {

constexpr int history_length = 1000;
// What terminals send around what is pasted.
constexpr const char* paste_begins = "\\e[200~";
constexpr std::string_view paste_ends = "\x1b[201~";

class PlainReader : public LineReader {
 public:
  Input read(const std::string& prompt, std::string& line) override {
    std::fputs(prompt.c_str(), stdout);
    std::fflush(stdout);
    line.clear();
    int c = 0;
    while ((c = std::getc(stdin)) != EOF && c != '\n') line += static_cast<char>(c);
    if (c != EOF || !line.empty()) return Input::line;
    std::fputs("\n", stdout);
    return Input::end;
  }
};

// Empty if there is no place for it.
std::string history_file() {
  const std::filesystem::path folder = state_folder();
  return folder.empty() ? std::string() : (folder / "history").string();
}

// As wide as the terminal, down the columns first.
std::string in_columns(const std::vector<std::string>& names) {
  winsize size{};
  const bool is_known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  size_t longest = 0;
  for (const std::string& name : names) longest = std::max(longest, name.size());
  const size_t width = longest + 2;
  const size_t columns = std::max<size_t>(1, (is_known ? size.ws_col : 80) / width);
  const size_t rows = (names.size() + columns - 1) / columns;
  std::string text;
  for (size_t row = 0; row < rows; ++row) {
    for (size_t k = row; k < names.size(); k += rows) {
      text += names[k];
      if (k + rows < names.size()) text.append(width - names[k].size(), ' ');
    }
    text += '\n';
  }
  return text;
}

// Between an evaluation and the next prompt Ctrl-C must not end the process. A handler rather than SIG_IGN, which
// programs that a script starts would inherit.
class HarmlessInterrupts {
 public:
  HarmlessInterrupts() {
    struct sigaction action = {};
    action.sa_handler = [](int) {};
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &previous_);
  }
  ~HarmlessInterrupts() { sigaction(SIGINT, &previous_, nullptr); }
  HarmlessInterrupts(const HarmlessInterrupts&) = delete;
  HarmlessInterrupts& operator=(const HarmlessInterrupts&) = delete;

 private:
  struct sigaction previous_ = {};
};

class Editor : public LineReader {
 public:
  explicit Editor(Completer completer)
      : completer_(std::move(completer)),
        editor_(el_init("perilune", stdin, stdout, stderr), el_end),
        history_(history_init(), history_end),
        file_(history_file()) {
    std::setlocale(LC_CTYPE, "");  // only this category: numbers keep their point
    el_set(editor_.get(), EL_CLIENTDATA, this);
    el_set(editor_.get(), EL_PROMPT, prompt_of);
    el_set(editor_.get(), EL_EDITOR, "emacs");
    el_set(editor_.get(), EL_SIGNAL, 1);
    HistEvent event;
    history(history_.get(), &event, H_SETSIZE, history_length);
    history(history_.get(), &event, H_SETUNIQUE, 1);
    if (!file_.empty()) history(history_.get(), &event, H_LOAD, file_.c_str());
    el_set(editor_.get(), EL_HIST, history, history_.get());
    el_set(editor_.get(), EL_ADDFN, "cancel-line", "Forget the line", cancel);
    el_set(editor_.get(), EL_ADDFN, "complete-name", "Complete the name before the cursor", complete);
    el_set(editor_.get(), EL_BIND, "^C", "cancel-line", nullptr);
    el_set(editor_.get(), EL_BIND, "^I", "complete-name", nullptr);
    el_set(editor_.get(), EL_BIND, "^R", "em-inc-search-prev", nullptr);
    // While a line is edited Ctrl-C and Ctrl-Z are keys.
    el_set(editor_.get(), EL_SETTY, "-d", "-isig", nullptr);
    el_set(editor_.get(), EL_ADDFN, "paste", "Take what is pasted as it is", paste);
    el_set(editor_.get(), EL_BIND, paste_begins, "paste", nullptr);
    el_set(editor_.get(), EL_ADDFN, "suspend", "Stop the process", suspend);
    el_set(editor_.get(), EL_BIND, "^Z", "suspend", nullptr);
    el_source(editor_.get(), nullptr);  // the user's ~/.editrc
  }

  Input read(const std::string& prompt, std::string& line) override {
    prompt_ = prompt;
    cancelled_ = is_block_ = false;
    pasted_.clear();
    std::clearerr(stdin);  // a script may have met the end of the input
    int count = 0;
    mark_pastes(true);
    const char* text = el_gets(editor_.get(), &count);
    mark_pastes(false);
    if (cancelled_) {
      std::fputs("^C\n", stdout);
      return Input::cancelled;
    }
    if (is_block_) {
      line = pasted_;
      return Input::line;
    }
    if (!text || count <= 0) {
      std::fputs("\n", stdout);
      return Input::end;
    }
    line.assign(text, static_cast<size_t>(count));
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.pop_back();
    line = pasted_ + line;
    return Input::line;
  }

  void remember(const std::string& line) override {
    HistEvent event;
    history(history_.get(), &event, H_ENTER, line.c_str());
    if (!file_.empty()) history(history_.get(), &event, H_SAVE, file_.c_str());  // now: a script may end the process
  }

 private:
  static Editor& self(EditLine* editor) {
    void* data = nullptr;
    el_get(editor, EL_CLIENTDATA, &data);
    return *static_cast<Editor*>(data);
  }

  static const char* prompt_of(EditLine* editor) { return self(editor).prompt_.c_str(); }

  static unsigned char cancel(EditLine* editor, int) {
    self(editor).cancelled_ = true;
    return CC_NEWLINE;
  }

  // Asks the terminal to say where what is pasted begins and ends. Those that do not know of it take no notice.
  static void mark_pastes(bool on) {
    const char* terminal = std::getenv("TERM");
    if (!terminal || std::string_view(terminal) == "dumb") return;
    std::fputs(on ? "\x1b[?2004h" : "\x1b[?2004l", stdout);
    std::fflush(stdout);
  }

  // Up to the terminal's mark of the end, tabs and all.
  static std::string read_paste(EditLine* editor) {
    std::string text;
    std::mbstate_t state = {};
    wchar_t c = 0;
    while (!text.ends_with(paste_ends) && el_wgetc(editor, &c) == 1) {
      char bytes[MB_LEN_MAX];
      const size_t count = std::wcrtomb(bytes, c, &state);
      if (count != static_cast<size_t>(-1)) text.append(bytes, count);
    }
    if (text.ends_with(paste_ends)) text.resize(text.size() - paste_ends.size());
    std::string lines;
    for (size_t k = 0; k < text.size(); ++k) {  // terminals send returns for the ends of lines
      if (text[k] == '\n' && k > 0 && text[k - 1] == '\r') continue;
      lines += text[k] == '\r' ? '\n' : text[k];
    }
    return lines;
  }

  // All lines of a block are one input. Behind its last end of a line the editor goes on: where nothing is there, the
  // block is complete.
  static unsigned char paste(EditLine* editor, int) {
    const std::string text = read_paste(editor);
    if (text.find('\n') == text.npos) {
      el_insertstr(editor, text.c_str());
      return CC_REFRESH;
    }
    const LineInfo* info = el_line(editor);
    const std::string behind(info->cursor, info->lastchar);
    const std::string whole = std::string(info->buffer, info->cursor) + text + behind;
    const size_t last = whole.rfind('\n') + 1;
    Editor& own = self(editor);
    own.pasted_ += whole.substr(0, last);
    std::fputs((text.substr(0, text.rfind('\n')) + "\n").c_str(), stdout);
    el_cursor(editor, static_cast<int>(behind.size()));
    el_deletestr(editor, static_cast<int>(info->lastchar - info->buffer));
    const std::string rest = whole.substr(last);
    if (rest.find_first_not_of(" \t") == rest.npos) {
      own.pasted_.pop_back();
      own.is_block_ = true;
      return CC_NEWLINE;
    }
    el_insertstr(editor, rest.c_str());
    return CC_REDISPLAY;
  }

  static unsigned char suspend(EditLine*, int) {
    std::raise(SIGTSTP);  // EL_SIGNAL restores the terminal meanwhile
    return CC_REDISPLAY;
  }

  static unsigned char complete(EditLine* editor, int) {
    const LineInfo* info = el_line(editor);
    const std::string before(info->buffer, info->cursor);
    if (before.find_first_not_of(" \t") == before.npos) {  // the blanks that a line begins with
      el_insertstr(editor, "  ");
      return CC_REFRESH;
    }
    const auto [typed, names] = self(editor).completer_(before);
    if (names.empty()) return CC_ERROR;
    std::string common = names[0];
    for (const std::string& name : names) {
      const auto end = std::mismatch(common.begin(), common.end(), name.begin(), name.end()).first;
      common.erase(end, common.end());
    }
    if (common.size() > typed) {
      el_insertstr(editor, common.c_str() + typed);
      return CC_REFRESH;
    }
    if (names.size() == 1) return CC_NORM;
    std::fputs(("\n" + in_columns(names)).c_str(), stdout);
    return CC_REDISPLAY;
  }

  Completer completer_;
  std::unique_ptr<EditLine, void (*)(EditLine*)> editor_;
  std::unique_ptr<History, void (*)(History*)> history_;
  std::string file_;
  std::string prompt_;
  std::string pasted_;     // lines before the one that is edited
  bool is_block_ = false;  // they are all there is
  bool cancelled_ = false;
  HarmlessInterrupts interrupts_;
};

}  // namespace

std::unique_ptr<LineReader> make_line_reader(LineReader::Completer completer) {
  if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)) return std::make_unique<Editor>(std::move(completer));
  return std::make_unique<PlainReader>();
}

}  // namespace perilune::lua
