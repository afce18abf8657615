package io.carillon.server.config;

import java.util.List;
import java.util.stream.Collectors;

/** The configuration has faults; the message lists them all, a line each. */
public final class ConfigurationException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<ConfigurationProblem> problems;

    /**
     * Made where the reading ends.
     *
     * @param problems at least one
     */
    public ConfigurationException(List<ConfigurationProblem> problems) {
        super(
                problems.stream()
                        .map(ConfigurationProblem::toString)
                        .collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /** The faults, in the order of the file. */
    public List<ConfigurationProblem> problems() {
        return problems;
    }
}
