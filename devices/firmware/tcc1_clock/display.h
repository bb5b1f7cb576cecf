// A display of four digits with a colon, by the common TM1637 module: two wires besides power.
#pragma once

#include <Arduino.h>

class Display {
  public:
    Display(uint8_t clk, uint8_t dio) : clk(clk), dio(dio) {}

    void begin();
    // A time as players read it: 25:00 until a second has passed, -0:07 in overtime.
    void show(int32_t left_ms, bool with_colon);

  private:
    void start();
    void stop();
    void put(uint8_t byte);

    uint8_t clk, dio;
};
