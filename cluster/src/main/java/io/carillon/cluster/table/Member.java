package io.carillon.cluster.table;

/**
 * A node as the table knows it. Immutable.
 *
 * @param number 0 to 254
 * @param name for people
 * @param address of its link; a process that comes with the same number and address is the
 *     successor of the former one, which cannot live any more since the address is taken
 * @param witness votes, owns nothing
 * @param incarnation rises with each life of the node: a new process, or one that comes back after
 *     it was declared dead
 */
public record Member(
        int number,
        String name,
        String address,
        boolean witness,
        long incarnation,
        Standing standing) {
    /** Where it stands for the others. */
    public enum Standing {
        /** It is there, and may still go as quickly as it came. */
        JOINED(1),
        /** It was there without a break for long enough to own something. */
        STABLE(2),
        /** It gives away what it has. */
        LEAVING(3),
        /** It has left, or was declared dead: this life of it never acts again. */
        GONE(4);

        private final int code;

        Standing(int code) {
            this.code = code;
        }

        /** What stands in bytes. */
        int code() {
            return code;
        }

        static Standing of(int code) {
            for (Standing standing : values()) {
                if (standing.code == code) {
                    return standing;
                }
            }
            throw new IllegalArgumentException("no standing has the code " + code);
        }
    }

    /** Is this life of it not over, as far as the table knows? */
    public boolean living() {
        return standing != Standing.GONE;
    }

    /** May partitions be given to it? */
    public boolean stable() {
        return standing == Standing.STABLE && !witness;
    }

    /** May partitions be given to it when no stable one is there? */
    boolean able() {
        return (standing == Standing.STABLE || standing == Standing.JOINED) && !witness;
    }

    Member with(Standing other) {
        return new Member(number, name, address, witness, incarnation, other);
    }
}
