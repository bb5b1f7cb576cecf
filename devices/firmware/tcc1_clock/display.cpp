#include "display.h"

static const uint8_t SEGMENTS[] PROGMEM = {0x3F, 0x06, 0x5B, 0x4F, 0x66, 0x6D, 0x7D, 0x07, 0x7F, 0x6F};
static const uint8_t MINUS = 0x40, COLON = 0x80, BRIGHT = 0x8C;
static const uint8_t HALF_BIT_US = 5;

void Display::begin() {
    digitalWrite(clk, HIGH);
    digitalWrite(dio, HIGH);
    pinMode(clk, OUTPUT);
    pinMode(dio, OUTPUT);
}

void Display::show(int32_t left_ms, bool with_colon) {
    bool is_over = left_ms < 0;
    int32_t seconds = is_over ? -left_ms / 1000 : (left_ms + 999) / 1000;
    int32_t most = is_over ? 599 : 5999;
    if (seconds > most) seconds = most;
    uint8_t minutes = seconds / 60, rest = seconds % 60;
    uint8_t digits[4] = {
        is_over ? MINUS : pgm_read_byte(&SEGMENTS[minutes / 10]),
        pgm_read_byte(&SEGMENTS[minutes % 10]),
        pgm_read_byte(&SEGMENTS[rest / 10]),
        pgm_read_byte(&SEGMENTS[rest % 10]),
    };
    if (with_colon) digits[1] |= COLON;
    start();
    put(0x40);  // digits follow one after the other
    stop();
    start();
    put(0xC0);  // from the first
    for (uint8_t digit : digits) put(digit);
    stop();
    start();
    put(BRIGHT);
    stop();
}

void Display::start() {
    digitalWrite(dio, LOW);
    delayMicroseconds(HALF_BIT_US);
    digitalWrite(clk, LOW);
}

void Display::stop() {
    digitalWrite(dio, LOW);
    digitalWrite(clk, HIGH);
    delayMicroseconds(HALF_BIT_US);
    digitalWrite(dio, HIGH);
    delayMicroseconds(HALF_BIT_US);
}

void Display::put(uint8_t byte) {
    for (uint8_t bit = 0; bit < 8; bit++, byte >>= 1) {
        digitalWrite(dio, byte & 1);
        delayMicroseconds(HALF_BIT_US);
        digitalWrite(clk, HIGH);
        delayMicroseconds(HALF_BIT_US);
        digitalWrite(clk, LOW);
    }
    pinMode(dio, INPUT);  // the module answers here; a clock without one runs all the same
    delayMicroseconds(HALF_BIT_US);
    digitalWrite(clk, HIGH);
    delayMicroseconds(HALF_BIT_US);
    digitalWrite(clk, LOW);
    digitalWrite(dio, LOW);
    pinMode(dio, OUTPUT);
}
