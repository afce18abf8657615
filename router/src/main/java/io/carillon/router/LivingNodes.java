package io.carillon.router;

import io.carillon.cluster.link.LinkPeer;
import io.carillon.cluster.link.PeerId;
import java.util.BitSet;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A line of the log for each node that comes or falls silent. Owner: the router's loop. */
final class LivingNodes {
    private static final Logger LOG = LoggerFactory.getLogger(Router.class);

    private final boolean tells;
    private final BitSet living = new BitSet(PeerId.NONE);

    /**
     * @param tells false for a router of a warm-up: nothing of it stands in the log
     */
    LivingNodes(boolean tells) {
        this.tells = tells;
    }

    void look(List<LinkPeer> nodes, long nowNanos) {
        if (!tells) {
            return;
        }
        for (LinkPeer node : nodes) {
            boolean lives = node.alive(nowNanos);
            if (lives != living.get(node.id())) {
                living.set(node.id(), lives);
                LOG.info(
                        "Node {} at {} {}",
                        node.id(),
                        node.address(),
                        lives ? "is there" : "is gone");
            }
        }
    }
}
