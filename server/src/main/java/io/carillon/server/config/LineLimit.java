package io.carillon.server.config;

/**
 * The longest line that a peer gets.
 *
 * @param characters of a line without its line break; 0: any number
 */
public record LineLimit(int characters) {
    static final String FORM = "off, on (256) or a number from 80 to 65535";
    private static final int USUAL = 256;
    private static final int LEAST = 80;
    private static final int MOST = 65_535;

    static LineLimit parse(String text) {
        return switch (text) {
            case "off", "false" -> new LineLimit(0);
            case "on", "true" -> new LineLimit(USUAL);
            default -> {
                int characters = Integer.parseInt(text);
                if (characters < LEAST || characters > MOST) {
                    throw new IllegalArgumentException(FORM);
                }
                yield new LineLimit(characters);
            }
        };
    }

    /** As it is written in a file. */
    @Override
    public String toString() {
        return characters == 0 ? "off" : Integer.toString(characters);
    }
}
