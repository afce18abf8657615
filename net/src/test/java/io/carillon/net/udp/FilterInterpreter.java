package io.carillon.net.udp;

/** Runs a program of the kernel's classic packet filter, as its documentation has it. */
final class FilterInterpreter {
    private FilterInterpreter() {}

    /**
     * What the program returns for a packet.
     *
     * @throws IllegalStateException where it reads behind the packet's end, at which the kernel
     *     would return 0
     */
    static int run(long[] program, byte[] packet, int length) {
        int accumulator = 0;
        int index = 0;
        int[] memory = new int[16];
        for (int at = 0; ; at++) {
            int code = (int) program[at] & 0xFFFF;
            int yes = (int) (program[at] >>> 16) & 0xFF;
            int no = (int) (program[at] >>> 24) & 0xFF;
            int constant = (int) (program[at] >>> 32);
            int place = constant + (code == 0x40 || code == 0x50 ? index : 0);
            switch (code) {
                case 0x20, 0x40 -> {
                    within(place, 4, length);
                    accumulator =
                            (packet[place] & 0xFF) << 24
                                    | (packet[place + 1] & 0xFF) << 16
                                    | (packet[place + 2] & 0xFF) << 8
                                    | packet[place + 3] & 0xFF;
                }
                case 0x28 -> {
                    within(place, 2, length);
                    accumulator = (packet[place] & 0xFF) << 8 | packet[place + 1] & 0xFF;
                }
                case 0x50 -> {
                    within(place, 1, length);
                    accumulator = packet[place] & 0xFF;
                }
                case 0x60 -> accumulator = memory[constant];
                case 0x80 -> accumulator = length;
                case 0x00 -> accumulator = constant;
                case 0x01 -> index = constant;
                case 0x61 -> index = memory[constant];
                case 0x02 -> memory[constant] = accumulator;
                case 0x03 -> memory[constant] = index;
                case 0x04 -> accumulator += constant;
                case 0x14 -> accumulator -= constant;
                case 0x1c -> accumulator -= index;
                case 0x24 -> accumulator *= constant;
                case 0x44 -> accumulator |= constant;
                case 0x4c -> accumulator |= index;
                case 0x54 -> accumulator &= constant;
                case 0x64 -> accumulator <<= constant;
                case 0x74 -> accumulator >>>= constant;
                case 0x94 -> accumulator = Integer.remainderUnsigned(accumulator, constant);
                case 0xa4 -> accumulator ^= constant;
                case 0xac -> accumulator ^= index;
                case 0x05 -> at += constant;
                case 0x15 -> at += accumulator == constant ? yes : no;
                case 0x1d -> at += accumulator == index ? yes : no;
                case 0x25 -> at += Integer.compareUnsigned(accumulator, constant) > 0 ? yes : no;
                case 0x35 -> at += Integer.compareUnsigned(accumulator, constant) >= 0 ? yes : no;
                case 0x06 -> {
                    return constant;
                }
                case 0x16 -> {
                    return accumulator;
                }
                case 0x07 -> index = accumulator;
                case 0x87 -> accumulator = index;
                default -> throw new IllegalStateException("operation " + code);
            }
        }
    }

    private static void within(int place, int bytes, int length) {
        if (place < 0 || place + bytes > length) {
            throw new IllegalStateException(place + " of " + length);
        }
    }
}
