package io.carillon.servlet.check;

import java.util.List;

/**
 * What an archive is and needs.
 *
 * @param archive its file name
 * @param application name, as the router knows it; empty when it cannot be told
 * @param says how it describes itself; empty when it does not
 * @param servlets names, in the order of declaration
 * @param execution {@code adaptive}, {@code blocking} or {@code non-blocking}; empty when it cannot
 *     be told
 * @param javaVersion the newest that a class of it was compiled for; 0 without classes
 * @param routerEntries lines for the router file that would give it its requests
 * @param needs what it needs of its server, or meets there
 * @param findings errors first
 */
public record CheckReport(
        String archive,
        String application,
        String says,
        List<String> servlets,
        String execution,
        int javaVersion,
        List<String> routerEntries,
        List<String> needs,
        List<Finding> findings) {

    public CheckReport {
        servlets = List.copyOf(servlets);
        routerEntries = List.copyOf(routerEntries);
        needs = List.copyOf(needs);
        findings = List.copyOf(findings);
    }

    /** Whether something is in the way of running it. */
    public boolean failed() {
        return findings.stream().anyMatch(finding -> finding.level() == Finding.Level.ERROR);
    }
}
