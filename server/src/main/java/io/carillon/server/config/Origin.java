package io.carillon.server.config;

/**
 * Where the value of a key comes from.
 *
 * @param kind of place
 * @param source the file, the variable or the option; empty of a default
 * @param line from 1, of a file; else 0
 * @param variables that the value is made of by {@code ${NAME}}, separated by commas; empty: none
 */
public record Origin(Kind kind, String source, int line, String variables) {
    /** Nobody set it. */
    public static final Origin DEFAULT = new Origin(Kind.DEFAULT, "", 0, "");

    /** Kinds of places, the weakest first. */
    public enum Kind {
        /** None: the key's own. */
        DEFAULT,
        /** The configuration file, or one of its {@code conf.d}. */
        FILE,
        /** The environment. */
        ENVIRONMENT,
        /** An option of the command line. */
        OPTION
    }

    /** As errors name it: {@code carillon.yaml:3}, {@code CARILLON_SIP_T1}, {@code --sip}. */
    @Override
    public String toString() {
        String place =
                switch (kind) {
                    case DEFAULT -> "default";
                    case FILE -> source + ":" + line;
                    case ENVIRONMENT, OPTION -> source;
                };
        return variables.isEmpty() ? place : place + " with " + variables;
    }
}
