package io.carillon.server.config;

/**
 * One fault in the configuration.
 *
 * @param source the file's name, or the option of the command line
 * @param line from 1; 0 where there are no lines
 * @param message what is wrong and what is allowed
 */
public record ConfigurationProblem(String source, int line, String message) {
    @Override
    public String toString() {
        return line > 0 ? source + ":" + line + ": " + message : source + ": " + message;
    }
}
