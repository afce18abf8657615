package io.carillon.net.udp;

import static io.carillon.net.udp.FilterProgram.LOAD_HALF_WORD_AT;
import static io.carillon.net.udp.FilterProgram.REMAINDER;
import static io.carillon.net.udp.FilterProgram.RETURN;

/**
 * The kernel's choice of a socket for a frame of the link: its partition, which stands at a fixed
 * place, modulo the number of loops.
 */
final class PartitionChoice {
    /** Where a frame names its partition, two bytes. */
    private static final int PARTITION = 4;

    private PartitionChoice() {}

    static long[] program(int loops) {
        return new FilterProgram()
                .put(LOAD_HALF_WORD_AT, PARTITION)
                .put(REMAINDER, loops)
                .put(RETURN)
                .instructions();
    }
}
