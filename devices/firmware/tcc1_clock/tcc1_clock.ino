// A table clock for Tilecast on an Arduino Uno or Nano (ATmega328P), speaking TCC1 over USB.
//
// Wiring and flashing: docs/arduino-clock.md. Change the four lines below to your clock.
#include <Arduino.h>
#include <EEPROM.h>
#include <string.h>

#include "clock.h"
#include "display.h"
#include "line.h"

const char NAME[] = "clock-1";       // as the table's file has it: A-Z a-z 0-9 -
const int32_t START_MINUTES = 25;
const char MODEL[] = "uno";
const char FIRMWARE[] = "0.1.0";

// Switches close to ground. The two halves are on pins with an interrupt.
const uint8_t LEFT = 2, RIGHT = 3, MIDDLE = 4, BUZZER = 5;
const uint8_t SHOW_CLK = 6, SHOW_LEFT = 7, SHOW_RIGHT = 8;

const uint16_t HELD_FOR_RESET_MS = 3000;  // the middle button, on a stopped clock
const uint16_t HOST_SILENT_MS = 15000;
const uint16_t LONGEST_BEEP_MS = 2000;

// One switch, and when it last changed. Bouncing is a change soon after another one.
struct Switch {
    volatile uint32_t changed_ms;
    volatile bool is_closed;

    // True when it has just closed. The time is taken here, in the interrupt.
    bool closes(uint8_t pin, uint32_t now_ms) {
        bool rested = now_ms - changed_ms >= DEBOUNCE_MS;
        bool closed = digitalRead(pin) == LOW;
        bool just_closed = closed && !is_closed && rested;
        if (closed != is_closed) changed_ms = now_ms;
        is_closed = closed;
        return just_closed;
    }
};

Switch left_switch, right_switch, middle_switch;

// Presses that the loop has not seen yet: written in the interrupts alone.
const uint8_t MOST_WAITING = 8;
volatile uint32_t waiting_ms[MOST_WAITING];
volatile char waiting_side[MOST_WAITING];
volatile uint8_t came, taken;

void keep(char side, uint32_t at_ms) {
    if ((uint8_t)(came - taken) >= MOST_WAITING) return;
    waiting_ms[came % MOST_WAITING] = at_ms;
    waiting_side[came % MOST_WAITING] = side;
    came++;
}

void left_changed() {
    uint32_t now_ms = millis();
    if (left_switch.closes(LEFT, now_ms)) keep('L', now_ms);
}

void right_changed() {
    uint32_t now_ms = millis();
    if (right_switch.closes(RIGHT, now_ms)) keep('R', now_ms);
}

// millis() begins at 0 again after 49 days; the clock's own time does not.
uint64_t now_is(uint32_t at_ms = millis()) {
    static uint64_t last = at_ms;
    int32_t gone = (int32_t)(at_ms - (uint32_t)last);  // a press may be a little older than the last
    uint64_t now = last + gone;
    if (gone > 0) last = now;
    return now;
}

// Another number at each start: counted in the EEPROM, mixed with the noise of an open input so
// that a new board of the same name begins elsewhere.
uint32_t new_boot() {
    uint32_t boot;
    EEPROM.get(0, boot);
    EEPROM.put(0, ++boot);
    uint32_t noise = 0;
    for (uint8_t i = 0; i < 32; i++) noise = noise << 1 ^ noise >> 31 ^ analogRead(A0);
    boot ^= noise;
    boot ^= boot >> 16;
    boot *= 0x45D9F3BUL;
    return boot ^ boot >> 16;
}

Clock clock_(START_MINUTES * 60000L);
Line *line;
Display left_display(SHOW_CLK, SHOW_LEFT), right_display(SHOW_CLK, SHOW_RIGHT);
uint64_t beep_until, heard_at, middle_since;
bool was_heard, middle_used;

void setup() {
    Serial.begin(115200);
    pinMode(LEFT, INPUT_PULLUP);
    pinMode(RIGHT, INPUT_PULLUP);
    pinMode(MIDDLE, INPUT_PULLUP);
    pinMode(BUZZER, OUTPUT);
    left_display.begin();
    right_display.begin();
    static Line own(Serial, NAME, new_boot());
    line = &own;
    attachInterrupt(digitalPinToInterrupt(LEFT), left_changed, CHANGE);
    attachInterrupt(digitalPinToInterrupt(RIGHT), right_changed, CHANGE);
}

void say(Act act, uint64_t at) { line->event(act, clock_.face(at), at); }

void take_presses() {
    while (taken != came) {
        uint64_t at = now_is(waiting_ms[taken % MOST_WAITING]);
        char side = waiting_side[taken % MOST_WAITING];
        taken++;
        if (clock_.press(side, at)) say(side == 'L' ? PRESS_LEFT : PRESS_RIGHT, at);
    }
}

void take_middle(uint64_t now) {
    if (middle_switch.closes(MIDDLE, (uint32_t)now)) {
        middle_since = now;
        middle_used = false;
        bool goes_on = clock_.is_paused();
        // A pause is said at once; going on waits for the finger, which may mean a reset.
        if (!goes_on && clock_.middle(now)) {
            middle_used = true;
            say(PAUSE, now);
        }
        return;
    }
    if (middle_used) return;
    if (middle_switch.is_closed && now - middle_since >= HELD_FOR_RESET_MS) {
        middle_used = true;
        clock_.reset(now);
        say(RESET, now);
    } else if (!middle_switch.is_closed && middle_since && clock_.is_paused()) {
        middle_used = true;
        clock_.middle(now);
        say(RESUME, now);
    }
}

// A command of the host. What cannot be read does nothing: the game goes on.
void obey(char *text, uint64_t now) {
    if (!strncmp(text, "SET,", 4)) {
        char *comma = strchr(text + 4, ',');
        if (!comma) return;
        char *left_end, *right_end;
        long left_ms = strtol(text + 4, &left_end, 10), right_ms = strtol(comma + 1, &right_end, 10);
        if (left_end != comma || right_end == comma + 1 || *right_end) return;
        if (labs(left_ms) > 86400000L || labs(right_ms) > 86400000L) return;
        clock_.set(left_ms, right_ms, now);
        say(ADJUST, now);
    } else if (!strncmp(text, "RUN,", 4) && strchr("LRN", text[4]) && text[4] && !text[5]) {
        clock_.run(text[4], now);
        say(text[4] == 'N' ? PAUSE : RESUME, now);
    } else if (!strncmp(text, "BEEP,", 5)) {
        long duration_ms = atol(text + 5);
        if (duration_ms <= 0) return;
        beep_until = now + min(duration_ms, (long)LONGEST_BEEP_MS);
        digitalWrite(BUZZER, HIGH);
    }
}

void listen() {
    while (char *text = line->hear()) {
        uint64_t now = now_is();
        was_heard = true;
        heard_at = now;
        if (!line->answer(text, now, now_is())) obey(text, now);
    }
}

void show(uint64_t now) {
    Face face = clock_.face(now);
    bool blinks = now / 500 % 2;
    left_display.show(face.left_ms, face.running != 'L' || blinks);
    right_display.show(face.right_ms, face.running != 'R' || blinks);
}

void loop() {
    static uint64_t second_at = 0, shown_at = 0;
    take_presses();
    uint64_t now = now_is();
    take_middle(now);
    if (clock_.flag(now)) say(FLAG, now);
    listen();
    line->send_again();
    if (beep_until && now >= beep_until) {
        beep_until = 0;
        digitalWrite(BUZZER, LOW);
    }
    if (now - second_at >= 1000) {
        second_at = now;
        if (!was_heard || now - heard_at >= HOST_SILENT_MS) line->hello(FIRMWARE, MODEL, now);
        line->heartbeat(clock_.face(now), now);
    }
    if (now - shown_at >= 100) {
        shown_at = now;
        show(now);
    }
}
