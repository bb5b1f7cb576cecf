// An Arduino Uno in simavr: its UART on a pseudo-terminal, its switches and displays on our lines.
//
//     board FIRMWARE.elf [MILLIS_ADDRESS MILLIS]
//
// The second form starts the board's own count of milliseconds there, to see what happens after
// seven weeks. Prints the terminal's path, then obeys lines on standard input, each answered by
// one line: `close L`, `open L` (L, R or M), `wait MS` as fast as this machine can, `show`
// (what both displays show), `buzzer` (0 or 1), `brownout`, `live` (goes on at the pace of the
// wall clock, and reads further lines meanwhile).
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <simavr/avr_eeprom.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <simavr/sim_time.h>

static avr_t *avr;
static int terminal;
static const char *SWITCHES = "LRM";
static const int SWITCH_PINS[] = {2, 3, 4};
static int buzzer;

// ---- Two TM1637: they share the clock wire, and each has a data wire.

typedef struct {
    int data, last_data, bits, byte, place, is_on;
    unsigned char digits[4];
} Module;

static Module modules[2];
static int wire;

static void heard(Module *module) {
    int byte = module->byte;
    if (module->place >= 0) {
        if (module->place < 4) module->digits[module->place++] = byte;
    } else if ((byte & 0xC0) == 0xC0) {  // the first byte after a start is a command
        module->place = byte & 3;
    } else if ((byte & 0xC0) == 0x80) {
        module->is_on = byte & 8;
    }
}

static void clock_wire(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq, (void)param;
    if (value && !wire) {
        for (int i = 0; i < 2; i++) {
            Module *module = &modules[i];
            if (module->bits < 0) continue;
            if (module->bits < 8) module->byte |= module->data << module->bits;
            if (++module->bits == 9) {
                heard(module);
                module->bits = module->byte = 0;
            }
        }
    }
    wire = value;
}

static void data_wire(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    Module *module = param;
    if (wire && module->data && !value) {  // start
        module->bits = module->byte = 0;
        module->place = -1;
    } else if (wire && !module->data && value) {  // stop
        module->bits = -1;
    }
    module->data = value;
}

static char shown(unsigned char segments) {
    static const unsigned char DIGITS[] = {0x3F, 0x06, 0x5B, 0x4F, 0x66, 0x6D, 0x7D, 0x07, 0x7F, 0x6F};
    for (int digit = 0; digit < 10; digit++)
        if (DIGITS[digit] == (segments & 0x7F)) return '0' + digit;
    return (segments & 0x7F) == 0x40 ? '-' : '?';
}

static void print_displays(void) {
    for (int i = 0; i < 2; i++) {
        unsigned char *digits = modules[i].digits;
        if (!modules[i].is_on) printf("dark");
        else printf("%c%c:%c%c", shown(digits[0]), shown(digits[1]), shown(digits[2]), shown(digits[3]));
        printf(i ? "\n" : " ");
    }
}

static void buzzer_wire(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq, (void)param;
    buzzer = value;
}

// ---- The serial line, a byte at a time at 115200 baud.

static avr_irq_t *uart_in;

static void uart_out(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq, (void)param;
    unsigned char byte = value;
    if (write(terminal, &byte, 1) != 1) fprintf(stderr, "the terminal takes nothing\n");
}

static avr_cycle_count_t feed(avr_t *avr, avr_cycle_count_t when, void *param) {
    (void)param;
    unsigned char byte;
    if (read(terminal, &byte, 1) == 1) avr_raise_irq(uart_in, byte);
    return when + avr_usec_to_cycles(avr, 87);
}

static void set_switch(char name, int is_closed) {
    static avr_ioport_external_t levels = {.name = 'D'};
    const char *at = strchr(SWITCHES, name);
    if (!at) return;
    int pin = SWITCH_PINS[at - SWITCHES];
    // Both: the level now, and what stays when the program writes to other pins of the port.
    levels.mask |= 1 << pin;
    levels.value = is_closed ? levels.value & ~(1 << pin) : levels.value | 1 << pin;
    avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL('D'), &levels);
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), pin), !is_closed);
}

static void go_on(avr_cycle_count_t cycles) {
    avr_cycle_count_t end = avr->cycle + cycles;
    while (avr->cycle < end) {
        int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed) {
            printf("the processor has stopped\n");
            exit(1);
        }
    }
}

static void start(void) {
    avr_reset(avr);
    // A reset clears what the pins read, and a level that is not new would not be heard.
    for (const char *at = SWITCHES; *at; at++) set_switch(*at, 1), set_switch(*at, 0);
}

static void to_stderr(struct avr_t *avr, const int level, const char *format, va_list ap) {
    (void)avr;
    if (level <= LOG_ERROR) vfprintf(stderr, format, ap);
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

int main(int count, char **words) {
    elf_firmware_t firmware = {0};
    avr_global_logger_set(to_stderr);
    if (count < 2 || elf_read_firmware(words[1], &firmware)) return 2;
    strcpy(firmware.mmcu, "atmega328p");
    firmware.frequency = 16000000;
    avr = avr_make_mcu_by_name(firmware.mmcu);
    avr_init(avr);
    avr_load_firmware(avr, &firmware);

    int far_end;
    char path[128];
    struct termios raw;
    if (openpty(&terminal, &far_end, path, NULL, NULL)) return 2;
    tcgetattr(far_end, &raw);
    cfmakeraw(&raw);
    tcsetattr(far_end, TCSANOW, &raw);
    fcntl(terminal, F_SETFL, O_NONBLOCK);

    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    uart_in = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), uart_out, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), 6), clock_wire, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), 7), data_wire, &modules[0]);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), 0), data_wire, &modules[1]);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), 5), buzzer_wire, NULL);
    start();
    avr_cycle_timer_register_usec(avr, 87, feed, NULL);
    if (count > 3) {
        // After its start-up code, which clears what stood there, and before the clock's own.
        go_on(avr_usec_to_cycles(avr, 1000));
        uint32_t millis = strtoul(words[3], NULL, 10);
        memcpy(avr->data + strtoul(words[2], NULL, 16), &millis, sizeof millis);
    }
    printf("%s\n", path);
    fflush(stdout);

    char line[80], name;
    int is_live = 0;
    double began = 0;
    avr_cycle_count_t began_at = 0;
    for (;;) {
        struct pollfd input = {.fd = 0, .events = POLLIN};
        if (is_live && !poll(&input, 1, 0)) {
            double ahead = (avr->cycle - began_at) / 16e6 - (seconds() - began);
            if (ahead > 0.002) usleep(2000);
            else go_on(avr_usec_to_cycles(avr, 1000));
            continue;
        }
        // Unbuffered, so that poll sees what is left.
        int length = 0;
        while (length < 79 && read(0, line + length, 1) == 1 && line[length] != '\n') length++;
        if (!length) return 0;
        line[length] = 0;
        unsigned ms;
        if (sscanf(line, "close %c", &name) == 1) set_switch(name, 1);
        else if (sscanf(line, "open %c", &name) == 1) set_switch(name, 0);
        else if (sscanf(line, "wait %u", &ms) == 1) go_on(avr_usec_to_cycles(avr, 1000) * ms);
        else if (!strcmp(line, "brownout")) start();
        else if (!strcmp(line, "live")) is_live = 1, began = seconds(), began_at = avr->cycle;
        if (!strcmp(line, "show")) print_displays();
        else if (!strcmp(line, "buzzer")) printf("%d\n", buzzer);
        else printf("done\n");
        fflush(stdout);
    }
}
