package io.carillon.server.config;

import java.math.BigDecimal;

/**
 * A part of a whole, written as {@code 1 %} or {@code 0.05 %}.
 *
 * @param perTenThousand hundredths of a per cent
 */
public record Share(int perTenThousand) {
    static final String FORM = "a share from 0 % to 100 % in steps of 0.01 %, as in 1 %";

    private static final int WHOLE = 10_000;

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException when it is none
     * @throws ArithmeticException when it is finer than they are
     */
    static Share parse(String text) {
        if (!text.endsWith("%")) {
            throw new IllegalArgumentException(FORM);
        }
        int parts =
                new BigDecimal(text.substring(0, text.length() - 1).strip())
                        .movePointRight(2)
                        .intValueExact();
        if (parts < 0 || parts > WHOLE) {
            throw new IllegalArgumentException(FORM);
        }
        return new Share(parts);
    }

    @Override
    public String toString() {
        return BigDecimal.valueOf(perTenThousand, 2).stripTrailingZeros().toPlainString() + " %";
    }
}
