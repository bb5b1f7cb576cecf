#include "line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint16_t crc_with(uint16_t crc, char letter) {
    crc ^= (uint16_t)(uint8_t)letter << 8;
    for (uint8_t bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1;
    return crc;
}

// Milliseconds in decimal: the board's printf has no 64 bits. `text` holds 21 characters.
static void decimal(char *text, uint64_t number) {
    char digits[20];
    uint8_t count = 0;
    do digits[count++] = '0' + number % 10;
    while (number /= 10);
    while (count) *text++ = digits[--count];
    *text = 0;
}

// The next number of a list with commas. False without one, or where it is not written plainly.
static bool number(char *&text, int32_t lowest, int32_t highest, int32_t &value) {
    char *first = text;
    bool is_signed = *first == '-';
    if (first[is_signed] < '0' || first[is_signed] > '9') return false;
    if (first[is_signed] == '0' && (is_signed || (first[1] >= '0' && first[1] <= '9'))) return false;
    if (strspn(first + is_signed, "0123456789") > 9) return false;
    value = strtol(first, &text, 10);
    if (*text == ',') text++;
    return value >= lowest && value <= highest;
}

void Line::put(const char *text) {
    for (; *text; text++) {
        crc = crc_with(crc, *text);
        port.write(*text);
    }
}

void Line::say(uint32_t seq, uint64_t at, const char *text) {
    char head[40], milliseconds[21];
    decimal(milliseconds, at);
    crc = 0xFFFF;
    port.write('$');
    put("TCC1,");
    put(name);
    snprintf_P(head, sizeof head, PSTR(",%lx,%lu,"), (unsigned long)boot, (unsigned long)seq);
    put(head);
    put(milliseconds);
    put(",");
    put(text);
    snprintf_P(head, sizeof head, PSTR("*%04X\r\n"), crc);
    for (char *end = head; *end; end++) port.write(*end);
}

void Line::event(Act act, const Face &face, uint64_t at) {
    newest++;
    if (newest - acknowledged > MOST_KEPT) acknowledged = newest - MOST_KEPT;
    Event &event = kept[newest % MOST_KEPT];
    event.at = at;
    event.face = face;
    event.act = act;
    say_event(newest);
}

void Line::say_event(uint32_t seq) {
    static const char names[][8] PROGMEM = {"PRESS,L", "PRESS,R", "PAUSE", "RESUME", "RESET", "FLAG", "ADJUST"};
    const Event &event = kept[seq % MOST_KEPT];
    char text[48];
    snprintf_P(text, sizeof text, PSTR("EV,%S,%ld,%ld,%c"), names[event.act],
               (long)event.face.left_ms, (long)event.face.right_ms, event.face.running);
    say(seq, event.at, text);
}

void Line::heartbeat(const Face &face, uint64_t now) {
    char text[60];
    snprintf_P(text, sizeof text, PSTR("HB,%ld,%ld,%c,%lu,%lu,100"), (long)face.left_ms, (long)face.right_ms,
               face.running, (unsigned long)newest, (unsigned long)(newest - acknowledged));
    say(0, now, text);
}

void Line::hello(const char *firmware, const char *model, uint64_t now) {
    char text[48];
    snprintf_P(text, sizeof text, PSTR("HELLO,%s,%s"), firmware, model);
    say(0, now, text);
}

char *Line::hear() {
    while (port.available()) {
        char letter = port.read();
        if (letter == '$') {  // starts a line, whatever came before it
            in_line = true;
            length = 0;
            continue;
        }
        if (!in_line || letter == '\r') continue;
        if (letter != '\n') {
            if (length < LONGEST_LINE - 1) heard[length++] = letter;
            else in_line = false;
            continue;
        }
        in_line = false;
        heard[length] = 0;
        char *star = strrchr(heard, '*');
        if (!star || strlen(star) != 5) continue;
        uint16_t crc = 0xFFFF;
        for (char *at = heard; at < star; at++) crc = crc_with(crc, *at);
        char right[5];
        snprintf_P(right, sizeof right, PSTR("%04X"), crc);
        if (strcasecmp(right, star + 1)) continue;
        *star = 0;
        // TCC1,<dev>,<boot>,<seq>,<t_ms>,<KIND>...
        uint8_t own = strlen(name);
        if (strncmp(heard, "TCC1,", 5) || strncmp(heard + 5, name, own) || heard[5 + own] != ',') continue;
        char *text = heard + 5 + own + 1;
        for (uint8_t field = 0; field < 3 && text; field++) {
            text = strchr(text, ',');
            if (text) text++;
        }
        if (text) return text;
    }
    return nullptr;
}

bool Line::answer(char *text, uint64_t received, uint64_t now) {
    int32_t first, last;
    if (!strncmp(text, "ACK,", 4)) {
        char *after;
        uint32_t whose = strtoul(text + 4, &after, 16);
        if (whose != boot || *after++ != ',') return true;
        if (number(after, 0, INT32_MAX, last) && (uint32_t)last > acknowledged && (uint32_t)last <= newest)
            acknowledged = last;
        return true;
    }
    if (!strncmp(text, "RESEND,", 7)) {
        char *after = text + 7;
        if (number(after, 1, INT32_MAX, first) && number(after, 1, INT32_MAX, last)) {
            again_from = first;
            again_to = last;
        }
        return true;
    }
    if (!strncmp(text, "SYNC,", 5)) {
        char *after = text + 5;
        if (!number(after, 0, INT32_MAX, first)) return true;
        char answer[60], came[21], leaves[21];
        decimal(came, received);
        decimal(leaves, now);
        snprintf_P(answer, sizeof answer, PSTR("SYNCR,%ld,%s,%s"), (long)first, came, leaves);
        say(0, now, answer);
        return true;
    }
    return false;
}

void Line::send_again() {
    if (again_from <= acknowledged) again_from = acknowledged + 1;
    if (again_to > newest) again_to = newest;
    if (again_from <= again_to) say_event(again_from++);
}
