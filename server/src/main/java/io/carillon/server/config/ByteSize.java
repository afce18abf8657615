package io.carillon.server.config;

/**
 * A number of bytes.
 *
 * @param bytes at least 0
 */
public record ByteSize(long bytes) implements Comparable<ByteSize> {
    private static final long KIB = 1024;
    private static final long MIB = KIB * 1024;
    private static final long GIB = MIB * 1024;

    /**
     * Reads {@code 65535}, {@code 64 KiB}, {@code 4 MiB} or {@code 1 GiB}.
     *
     * @throws IllegalArgumentException when the text is none of these
     */
    public static ByteSize parse(String text) {
        String compact = text.strip();
        int digits = 0;
        while (digits < compact.length() && Character.isDigit(compact.charAt(digits))) {
            digits++;
        }
        if (digits == 0 || digits > 15) {
            throw new IllegalArgumentException("no size");
        }
        long number = Long.parseLong(compact.substring(0, digits));
        long unit =
                switch (compact.substring(digits).strip()) {
                    case "", "B" -> 1;
                    case "KiB" -> KIB;
                    case "MiB" -> MIB;
                    case "GiB" -> GIB;
                    default -> throw new IllegalArgumentException("no unit of size");
                };
        return new ByteSize(Math.multiplyExact(number, unit));
    }

    /** The bytes as an int; a setting of that kind has a maximum that fits. */
    public int intBytes() {
        return Math.toIntExact(bytes);
    }

    /** As a user would write it, in the largest unit that leaves a whole number. */
    @Override
    public String toString() {
        if (bytes >= GIB && bytes % GIB == 0) {
            return bytes / GIB + " GiB";
        }
        if (bytes >= MIB && bytes % MIB == 0) {
            return bytes / MIB + " MiB";
        }
        return bytes >= KIB && bytes % KIB == 0 ? bytes / KIB + " KiB" : bytes + " B";
    }

    @Override
    public int compareTo(ByteSize other) {
        return Long.compare(bytes, other.bytes);
    }
}
