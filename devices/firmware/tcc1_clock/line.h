// The lines of TCC1 (docs/tcc1.md): what the clock says, keeps until the host has it, and hears.
#pragma once

#include <Arduino.h>

#include "clock.h"

const uint8_t LONGEST_LINE = 120;
const uint8_t MOST_KEPT = 40;  // events; 2 KB of memory have no room for more

enum Act : uint8_t { PRESS_LEFT, PRESS_RIGHT, PAUSE, RESUME, RESET, FLAG, ADJUST };

class Line {
  public:
    // `name` as the table's file has it; `boot` another number at each start.
    Line(Stream &port, const char *name, uint32_t boot) : port(port), name(name), boot(boot) {}

    // Numbers an event, keeps it and says it. A full memory forgets its oldest.
    void event(Act act, const Face &face, uint64_t at);
    void heartbeat(const Face &face, uint64_t now);
    void hello(const char *firmware, const char *model, uint64_t now);

    // Reads what has come. Gives the text of a whole and undamaged line for this clock from its
    // kind on ("SET,60000,60000"), else nullptr. It is valid until the next call.
    char *hear();

    // What the line itself can answer: ACK, RESEND, SYNC. False for everything else.
    bool answer(char *text, uint64_t received, uint64_t now);
    // One of the events that the host wants again; call it once in each round of the loop.
    void send_again();

  private:
    struct Event {
        uint64_t at;
        Face face;
        Act act;
    };

    void say(uint32_t seq, uint64_t at, const char *text);
    void say_event(uint32_t seq);
    void put(const char *text);

    Stream &port;
    const char *name;
    uint32_t boot;
    uint32_t newest = 0, acknowledged = 0;  // numbers of events
    Event kept[MOST_KEPT];                  // event n stands at n % MOST_KEPT
    uint32_t again_from = 1, again_to = 0;
    uint16_t crc = 0;
    char heard[LONGEST_LINE];
    uint8_t length = 0;
    bool in_line = false;
};
