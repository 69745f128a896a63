// SPDX-License-Identifier: MIT
#include "session/block.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace perilune::lua {

namespace {

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

// The position behind a long bracket "[==[ ... ]==]" that begins at k; k if none does.
size_t behind_long_bracket(std::string_view code, size_t k) {
  size_t level = k + 1;
  while (level < code.size() && code[level] == '=') ++level;
  if (k >= code.size() || code[k] != '[' || level >= code.size() || code[level] != '[') return k;
  const std::string closing = "]" + std::string(level - k - 1, '=') + "]";
  const size_t end = code.find(closing, level);
  return end == code.npos ? code.size() : end + closing.size();
}

size_t behind_string(std::string_view code, size_t k) {
  const char quote = code[k];
  for (++k; k < code.size() && code[k] != quote; ++k) k += code[k] == '\\';
  return std::min(k + 1, code.size());
}

size_t behind_number(std::string_view code, size_t k) {
  const bool is_hexadecimal = code.substr(k).starts_with("0x") || code.substr(k).starts_with("0X");
  const std::string_view exponent = is_hexadecimal ? "pP" : "eE";
  for (; k < code.size() && (is_letter(code[k]) || code[k] == '.'); ++k) {
    const bool has_sign = k + 1 < code.size() && (code[k + 1] == '+' || code[k + 1] == '-');
    k += exponent.find(code[k]) != exponent.npos && has_sign;
  }
  return k;
}

template <size_t count>
bool is_among(const std::array<std::string_view, count>& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

struct Token {
  enum class Kind { end, name, keyword, number, string, symbol };
  Kind kind = Kind::end;
  std::string_view text;
  size_t begin = 0, end = 0;
  int line = 0;

  bool is(std::string_view other) const { return (kind == Kind::keyword || kind == Kind::symbol) && text == other; }
};

class Tokens {
 public:
  explicit Tokens(std::string_view code) : code_(code) {}

  Token next() {
    skip_blanks();
    Token token;
    token.begin = token.end = at_;
    token.line = line_;
    if (at_ >= code_.size()) return token;
    const char c = code_[at_];
    size_t end = behind_long_bracket(code_, at_);
    if (end != at_) {
      token.kind = Token::Kind::string;
    } else if (c == '"' || c == '\'') {
      token.kind = Token::Kind::string;
      end = behind_string(code_, at_);
    } else if (is_digit(c) || (c == '.' && at_ + 1 < code_.size() && is_digit(code_[at_ + 1]))) {
      token.kind = Token::Kind::number;
      end = behind_number(code_, at_);
    } else if (is_letter(c)) {
      while (end < code_.size() && is_letter(code_[end])) ++end;
      token.kind = is_among(keywords, code_.substr(at_, end - at_)) ? Token::Kind::keyword : Token::Kind::name;
    } else {
      token.kind = Token::Kind::symbol;
      end = at_ + 1;
      for (const std::string_view symbol : long_symbols) {
        if (end == at_ + 1 && code_.substr(at_).starts_with(symbol)) end = at_ + symbol.size();
      }
    }
    token.text = code_.substr(at_, end - at_);
    move_to(token.end = end);
    return token;
  }

 private:
  static constexpr std::array<std::string_view, 22> keywords = {
      "and", "break", "do",  "else", "elseif", "end",    "false",  "for",  "function", "goto",  "if",
      "in",  "local", "nil", "not",  "or",     "repeat", "return", "then", "true",     "until", "while"};
  static constexpr std::array<std::string_view, 10> long_symbols = {
      "...", "..", "==", "~=", "<=", ">=", "//", "::", "<<", ">>"};

  // Comments, too.
  void skip_blanks() {
    while (at_ < code_.size()) {
      if (std::isspace(static_cast<unsigned char>(code_[at_]))) {
        move_to(at_ + 1);
      } else if (code_.substr(at_).starts_with("--")) {
        const size_t end = behind_long_bracket(code_, at_ + 2);
        move_to(end != at_ + 2 ? end : std::min(code_.find('\n', at_), code_.size()));
      } else {
        return;
      }
    }
  }

  void move_to(size_t end) {
    line_ += static_cast<int>(std::count(code_.begin() + static_cast<std::ptrdiff_t>(at_),
                                         code_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    at_ = end;
  }

  std::string_view code_;
  size_t at_ = 0;
  int line_ = 0;
};

// Finds the ends of statements and expressions by Lua's grammar. What is no Lua is passed over, token by token.
class Reader {
 public:
  explicit Reader(std::string_view code) : tokens_(code) { advance(); }

  Block read() {
    while (token_.kind != Token::Kind::end) {
      if (token_.is(";")) {
        advance();
        continue;
      }
      statement_ = {};
      statement_.begin = token_.begin;
      statement_.line = token_.line;
      read_statement();
      if (end_ <= statement_.begin) advance();  // no Lua
      statement_.end = end_;
      block_.statements.push_back(std::move(statement_));
    }
    return std::move(block_);
  }

 private:
  void advance() {
    end_ = token_.end;
    token_ = tokens_.next();
    if (token_.kind == Token::Kind::name) block_.names.emplace(token_.text);
  }

  bool passed(std::string_view text) {
    if (!token_.is(text)) return false;
    advance();
    return true;
  }

  void read_statement() {
    if (passed("local")) {
      if (passed("function")) {
        statement_.locals.push_back({std::string(token_.text)});
        pass_block();
      } else {
        read_local();
      }
    } else if (passed("function")) {
      const Token name = token_;
      advance();
      if (token_.is("(")) statement_.assigned.emplace_back(name.text);
      pass_block();
    } else if (passed("while") || passed("for")) {
      while (token_.kind != Token::Kind::end && !token_.is("do")) pass_nested();
      advance();
      pass_block();
    } else if (passed("do") || passed("if")) {
      pass_block();
    } else if (passed("repeat")) {
      pass_block();
      read_expressions();
    } else if (passed("return")) {
      statement_.kind = Statement::Kind::returned;
      read_expressions();
    } else if (passed("goto")) {
      advance();
    } else if (passed("::")) {
      advance();
      passed("::");
    } else if (!passed("break")) {
      std::vector<std::string> assigned = read_expressions();
      if (passed("=")) {
        statement_.assigned = std::move(assigned);
        read_expressions();
      } else {
        statement_.kind = Statement::Kind::value;
      }
    }
  }

  void read_local() {
    while (token_.kind == Token::Kind::name) {
      Statement::Local local{std::string(token_.text)};
      bool is_to_be_closed = false;
      advance();
      if (passed("<")) {
        is_to_be_closed = token_.text == "close";
        local.is_constant = token_.text == "const";
        advance();
        passed(">");
      }
      if (!is_to_be_closed) statement_.locals.push_back(std::move(local));
      if (!passed(",")) break;
    }
    if (passed("=")) read_expressions();
  }

  // Returns those that are a name alone.
  std::vector<std::string> read_expressions() {
    std::vector<std::string> names;
    do {
      const Token first = token_;
      read_expression();
      if (first.kind == Token::Kind::name && end_ == first.end) names.emplace_back(first.text);
    } while (passed(","));
    return names;
  }

  void read_expression() {
    static constexpr std::array<std::string_view, 4> unary = {"-", "not", "#", "~"};
    static constexpr std::array<std::string_view, 21> binary = {"+",  "-", "*",  "/",  "//", "^",   "%",
                                                                "&",  "~", "|",  ">>", "<<", "..",  "<",
                                                                "<=", ">", ">=", "==", "~=", "and", "or"};
    do {
      while (is_one_of(unary)) advance();
      read_operand();
    } while (is_one_of(binary) && (advance(), true));
  }

  // One of these symbols or keywords.
  template <size_t count>
  bool is_one_of(const std::array<std::string_view, count>& list) const {
    return (token_.kind == Token::Kind::symbol || token_.kind == Token::Kind::keyword) && is_among(list, token_.text);
  }

  void read_operand() {
    if (passed("function")) return pass_block();
    if (token_.is("{")) return pass_nested();
    if (token_.kind == Token::Kind::number || token_.kind == Token::Kind::string || token_.is("nil") ||
        token_.is("true") || token_.is("false") || token_.is("...")) {
      return advance();
    }
    // What can be called and indexed.
    if (token_.is("(")) {
      pass_nested();
    } else if (token_.kind == Token::Kind::name) {
      advance();
    } else {
      return;
    }
    for (;;) {
      if (passed(".") || passed(":")) {
        if (token_.kind == Token::Kind::name) advance();
      } else if (token_.kind == Token::Kind::string || token_.is("[") || token_.is("(") || token_.is("{")) {
        pass_nested();
      } else {
        return;
      }
    }
  }

  // Passes one token, and all up to its end where it opens something.
  void pass_nested() { pass_open(0); }

  // Behind what begins a block, to behind its "end" or "until".
  void pass_block() { pass_open(1); }

  // The loops "while" and "for" have a "do". Not recursive: what is no Lua may be as deep as it likes.
  void pass_open(int depth) {
    static constexpr std::array<std::string_view, 7> opening = {"function", "do", "if", "repeat", "(", "{", "["};
    static constexpr std::array<std::string_view, 5> closing = {"end", "until", ")", "}", "]"};
    do {
      if (is_one_of(opening)) ++depth;
      if (is_one_of(closing)) --depth;
      advance();
    } while (depth > 0 && token_.kind != Token::Kind::end);
  }

  Tokens tokens_;
  Token token_;
  size_t end_ = 0;  // of the token before
  Statement statement_;
  Block block_;
};

}  // namespace

Block read_block(std::string_view code) { return Reader(code).read(); }

}  // namespace perilune::lua
