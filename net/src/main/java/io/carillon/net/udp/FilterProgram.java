package io.carillon.net.udp;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A program of the kernel's classic packet filter (bpf(4) of the BSDs, Documentation/networking/
 * filter of Linux), written instruction by instruction. One accumulator, one index register,
 * sixteen words of memory, jumps forward only, so it always ends. A load behind the packet's end
 * ends it with 0.
 *
 * <p>Owner: the thread that writes it.
 */
final class FilterProgram {
    /** Instructions that the kernel takes. */
    static final int MOST_INSTRUCTIONS = 4096;

    static final int LOAD_WORD_AT = 0x20;
    static final int LOAD_HALF_WORD_AT = 0x28;
    static final int LOAD_WORD_AT_INDEX = 0x40;
    static final int LOAD_BYTE_AT_INDEX = 0x50;
    static final int LOAD_MEMORY = 0x60;
    static final int LOAD_LENGTH = 0x80;
    static final int LOAD_CONSTANT = 0x00;
    static final int INDEX_CONSTANT = 0x01;
    static final int INDEX_MEMORY = 0x61;
    static final int STORE = 0x02;
    static final int STORE_INDEX = 0x03;
    static final int ADD = 0x04;
    static final int SUBTRACT = 0x14;
    static final int SUBTRACT_INDEX = 0x1c;
    static final int MULTIPLY = 0x24;
    static final int OR = 0x44;
    static final int OR_INDEX = 0x4c;
    static final int AND = 0x54;
    static final int SHIFT_LEFT = 0x64;
    static final int SHIFT_RIGHT = 0x74;
    static final int REMAINDER = 0x94;
    static final int XOR_INDEX = 0xac;
    static final int JUMP = 0x05;
    static final int IF_EQUAL = 0x15;
    static final int IF_ABOVE = 0x25;
    static final int IF_AT_LEAST = 0x35;
    static final int IF_EQUAL_INDEX = 0x1d;
    static final int RETURN_CONSTANT = 0x06;
    static final int RETURN = 0x16;
    static final int TO_INDEX = 0x07;
    static final int FROM_INDEX = 0x87;

    /** A place further on; {@link #here} says where. */
    static final class Label {
        private int at = -1;
    }

    private record Jump(int at, Label yes, Label no) {}

    private long[] code = new long[256];
    private int length;
    private final List<Jump> jumps = new ArrayList<>();

    /** An instruction without an argument. */
    FilterProgram put(int operation) {
        return put(operation, 0);
    }

    /** An instruction with a constant, which is an offset, a memory word's number or an operand. */
    FilterProgram put(int operation, int constant) {
        if (length == code.length) {
            code = Arrays.copyOf(code, length * 2);
        }
        code[length++] = operation | (long) constant << 32;
        return this;
    }

    /** Goes on there, however far. */
    FilterProgram jump(Label to) {
        jumps.add(new Jump(length, to, to));
        return put(JUMP);
    }

    /** Goes to one place, at most 255 instructions further, where the comparison holds. */
    FilterProgram when(int comparison, int constant, Label yes) {
        Label no = new Label();
        jumps.add(new Jump(length, yes, no));
        put(comparison, constant);
        return here(no);
    }

    /** Goes to one place, at most 255 instructions further, where the comparison fails. */
    FilterProgram unless(int comparison, int constant, Label no) {
        Label yes = new Label();
        jumps.add(new Jump(length, yes, no));
        put(comparison, constant);
        return here(yes);
    }

    /** The label is the next instruction. */
    FilterProgram here(Label label) {
        label.at = length;
        return this;
    }

    /**
     * The instructions, each a {@code struct sock_filter}: from the lowest bit 16 of operation, two
     * jumps of 8 bits, 32 of constant.
     */
    long[] instructions() {
        if (length > MOST_INSTRUCTIONS) {
            throw new IllegalStateException(length + " instructions");
        }
        long[] program = Arrays.copyOf(code, length);
        for (Jump jump : jumps) {
            if ((int) program[jump.at] == JUMP) {
                program[jump.at] |= (long) distance(jump.at, jump.yes, Integer.MAX_VALUE) << 32;
            } else {
                program[jump.at] |=
                        (long) distance(jump.at, jump.yes, 255) << 16
                                | (long) distance(jump.at, jump.no, 255) << 24;
            }
        }
        return program;
    }

    private static int distance(int from, Label to, int most) {
        int distance = to.at - from - 1;
        if (distance < 0 || distance > most) {
            throw new IllegalStateException("a jump from " + from + " to " + to.at);
        }
        return distance;
    }
}
