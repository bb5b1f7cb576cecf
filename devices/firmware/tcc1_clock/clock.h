// Two halves, their times, who runs: the clock without pins, display or line.
//
// All times are milliseconds; below zero is overtime. The caller gives the time of everything
// that happens, taken when the switch closed. clock_core.py beside this folder is the same clock.
#pragma once

#include <stdint.h>

const uint16_t DEBOUNCE_MS = 15;

// What stands on the display after something has happened.
struct Face {
    int32_t left_ms, right_ms;
    char running;  // 'L', 'R', or 'N' for none
};

class Clock {
  public:
    explicit Clock(int32_t start_ms) : start_ms(start_ms) { reset(0); }

    Face face(uint64_t now) const;
    bool is_paused() const { return paused; }

    // Each says whether anything has happened: what has not is no event.
    bool press(char side, uint64_t at);  // on a stopped clock it starts the opponent
    bool middle(uint64_t at);            // stop both; again: go on
    bool flag(uint64_t now);             // the running half has just passed zero

    void set(int32_t left_ms, int32_t right_ms, uint64_t at);
    void run(char side, uint64_t at);
    void reset(uint64_t at);

  private:
    void let_run(char side, uint64_t at);

    int32_t start_ms;
    Face since;          // the times when `since_at` was
    uint64_t since_at;
    uint64_t pressed_at;
    bool was_pressed;
    char paused;         // the half that goes on after a pause, 0 without one
    bool left_fell, right_fell;
};
