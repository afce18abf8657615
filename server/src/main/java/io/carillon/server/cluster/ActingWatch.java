package io.carillon.server.cluster;

import io.carillon.servlet.SipContainer;
import io.carillon.servlet.app.FirstWork;
import io.carillon.sip.token.ClusterPlace;
import org.jspecify.annotations.Nullable;

/**
 * Sees when calls may begin at this node, and tells the applications that wait for it. Of the
 * member's thread, once the container is there.
 */
final class ActingWatch {
    private final FirstWork first = new FirstWork();
    private volatile @Nullable ClusterPlace place;
    private boolean acts;

    /** Before the first deployment. */
    void of(SipContainer container, @Nullable ClusterPlace where) {
        container.host().parts().put(FirstWork.SLOT, first);
        place = where;
    }

    /** With each tick. */
    void look() {
        ClusterPlace known = place;
        if (!acts && known != null && known.acts()) {
            acts = true;
            first.begin();
        }
    }
}
