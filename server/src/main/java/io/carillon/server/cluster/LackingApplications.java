package io.carillon.server.cluster;

import io.carillon.cluster.link.NodeHealth;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applications of this node that a node which would take over its calls does not have: known, and
 * in the log, before it is needed. Looked at by one thread; {@link #now} any.
 */
final class LackingApplications {
    private static final Logger LOG = LoggerFactory.getLogger(LackingApplications.class);

    /** Of these a node has deployed what it deploys. */
    private static final Set<String> TAKE_CALLS =
            Set.of(word(NodeHealth.READY), word(NodeHealth.OVERLOADED));

    private volatile Map<String, List<Integer>> now = Map.of();

    private static String word(NodeHealth health) {
        return health.name().toLowerCase(Locale.ROOT);
    }

    /** Does the node take calls, as far as it is heard? */
    static boolean takesCalls(ClusterView.Heard heard) {
        return TAKE_CALLS.contains(heard.health());
    }

    /**
     * Looks anew, and writes what has changed to the log.
     *
     * @param own names of the applications of this node
     * @param heard what nodes say of themselves; what this one says counts for nothing
     */
    void look(Collection<String> own, Map<Integer, ClusterView.Heard> heard, int self) {
        Map<String, List<Integer>> before = now;
        Map<String, List<Integer>> found = new TreeMap<>();
        heard.forEach((number, says) -> {
            if (number != self && takesCalls(says)) {
                for (String name : own) {
                    if (says.applications().lacks(name)) {
                        found.computeIfAbsent(name, _ -> new ArrayList<>()).add(number);
                    }
                }
            }
        });
        if (found.equals(before)) {
            return;
        }
        now = Collections.unmodifiableMap(found);
        found.forEach((name, members) -> {
            if (!members.equals(before.get(name))) {
                LOG.warn(
                        "Application {} is not deployed at {}: a call of it that goes there is lost",
                        name,
                        words(members));
            }
        });
        before.keySet().stream()
                .filter(name -> !found.containsKey(name))
                .forEach(name -> LOG.info("No other node lacks application {} any more", name));
    }

    /** Each with the members that lack it. */
    Map<String, List<Integer>> now() {
        return now;
    }

    /** Is one of these applications lacking somewhere? */
    boolean lacks(Stream<String> applications) {
        Map<String, List<Integer>> lacking = now;
        return !lacking.isEmpty() && applications.anyMatch(lacking::containsKey);
    }

    /** As in {@code member 1 and member 2}. */
    static String words(List<Integer> members) {
        return members.stream()
                .sorted()
                .map(number -> "member " + number)
                .collect(Collectors.joining(" and "));
    }
}
