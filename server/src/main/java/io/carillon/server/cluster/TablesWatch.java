package io.carillon.server.cluster;

import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says in the log, once, that the tables of owners of two members have parted. One thread. */
final class TablesWatch {
    private static final Logger LOG = LoggerFactory.getLogger(TablesWatch.class);

    private Set<Integer> last = Set.of();

    /**
     * @param apart members whose table stands at another version than here
     * @param version of the table here
     */
    void look(Set<Integer> apart, long version) {
        if (apart.equals(last)) {
            return;
        }
        if (apart.isEmpty()) {
            LOG.info("No voter is heard any more whose table of owners is at another version");
        } else {
            LOG.error(
                    "The table of owners is at version {} here and stays at another one at members {}:"
                            + " they do not follow the voters, or have parted from them, and a call"
                            + " may have two owners. Stop the member whose version the others do not"
                            + " have (./carillon cluster), and remove its folder of votes",
                    version,
                    apart);
        }
        last = apart;
    }
}
