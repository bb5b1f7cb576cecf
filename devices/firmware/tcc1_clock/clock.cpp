#include "clock.h"

static const int32_t LONGEST_TURN_MS = 86400000;  // a clock left running for days counts no further

static char other(char side) { return side == 'L' ? 'R' : 'L'; }

Face Clock::face(uint64_t now) const {
    Face shown = since;
    uint64_t passed = now - since_at;
    int32_t gone = passed < (uint64_t)LONGEST_TURN_MS ? passed : LONGEST_TURN_MS;
    if (since.running == 'L') shown.left_ms -= gone;
    if (since.running == 'R') shown.right_ms -= gone;
    return shown;
}

bool Clock::press(char side, uint64_t at) {
    // Both buttons at once are one press: the second one comes within the bounce of the first.
    bool bounced = was_pressed && at - pressed_at < DEBOUNCE_MS;
    if (bounced || paused || since.running == other(side)) return false;
    was_pressed = true;
    pressed_at = at;
    let_run(other(side), at);
    return true;
}

bool Clock::middle(uint64_t at) {
    if (paused) {
        run(paused, at);
        return true;
    }
    if (since.running == 'N') return false;
    paused = since.running;
    let_run('N', at);
    return true;
}

bool Clock::flag(uint64_t now) {
    Face shown = face(now);
    bool *fell = shown.running == 'L' ? &left_fell : &right_fell;
    int32_t left_ms = shown.running == 'L' ? shown.left_ms : shown.right_ms;
    if (shown.running == 'N' || *fell || left_ms > 0) return false;
    return *fell = true;
}

void Clock::set(int32_t left_ms, int32_t right_ms, uint64_t at) {
    since = {left_ms, right_ms, since.running};
    since_at = at;
    left_fell = left_ms <= 0;
    right_fell = right_ms <= 0;
}

void Clock::run(char side, uint64_t at) {
    paused = 0;
    let_run(side, at);
}

void Clock::reset(uint64_t at) {
    since = {start_ms, start_ms, 'N'};
    since_at = at;
    was_pressed = left_fell = right_fell = false;
    paused = 0;
}

void Clock::let_run(char side, uint64_t at) {
    since = face(at);
    since.running = side;
    since_at = at;
}
