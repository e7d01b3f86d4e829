// utf8.c - text from files on its way to terminals and into other files.
#include <rigor/util.h>

#include <string.h>

// No overlong forms, no surrogates, nothing above U+10FFFF.
int rg_utf8_length(const char* text, size_t left) {
  const unsigned char* s = (const unsigned char*)text;
  if (left == 0)
    return 0;
  if (s[0] < 0x80)
    return 1;
  int length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
  if (s[0] < 0xc2 || s[0] > 0xf4 || left < (size_t)length)
    return 0;
  for (int i = 1; i < length; i++)
    if ((s[i] & 0xc0) != 0x80)
      return 0;
  bool bad = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
             (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f);
  return bad ? 0 : length;
}

// C0, delete, and C1, which is U+0080 to U+009F: terminals take all of them as commands.
static bool is_control(const char* text, int length) {
  unsigned char c = (unsigned char)text[0];
  return (length == 1 && (c < 0x20 || c == 0x7f)) ||
         (length == 2 && c == 0xc2 && (unsigned char)text[1] < 0xa0);
}

// Whether the text ends within a character that begins as one: then it was cut there.
static bool is_cut(const char* text, size_t left) {
  char whole[5] = "\x80\x80\x80\x80";
  if (left >= 4 || (unsigned char)text[0] < 0xc2)
    return false;
  memcpy(whole, text, left);
  if (rg_utf8_length(whole, 4) > (int)left)
    return true;
  whole[1] = left == 1 ? '\xa0' : whole[1]; // where 0x80 would make an overlong form
  return rg_utf8_length(whole, 4) > (int)left;
}

void rg_utf8_clean(char* text) {
  size_t left = strlen(text);
  char* to = text;
  while (left > 0) {
    int length = rg_utf8_length(text, left);
    if (length == 0 && is_cut(text, left))
      break;
    if (length == 0 || is_control(text, length))
      *to++ = '?';
    else
      for (int i = 0; i < length; i++)
        *to++ = text[i];
    int passed = length > 0 ? length : 1;
    text += passed;
    left -= (size_t)passed;
  }
  *to = '\0';
}
