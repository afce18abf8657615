package io.carillon.server.config;

/** Reads the whole configuration of a server, each time anew. Any thread. */
@FunctionalInterface
public interface ConfigurationSource {
    /**
     * Reads it.
     *
     * @throws ConfigurationException naming file and line, variable or option, and what is allowed
     */
    ReadConfiguration read() throws ConfigurationException;
}
