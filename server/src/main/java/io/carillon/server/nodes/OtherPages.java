package io.carillon.server.nodes;

import java.net.InetSocketAddress;
import javax.net.ssl.SSLContext;

/**
 * The other nodes of a cluster, as who serves pages sees them: whose a page is, and where it is
 * asked for. Any thread.
 */
public interface OtherPages {
    /** No node. */
    int NOBODY = -1;

    /** The number of this node. */
    int self();

    /**
     * Who has the application sessions of a partition now.
     *
     * @param token of a partition, as it stands in URLs
     * @return {@link #NOBODY} where no such node lives
     */
    int owner(String token);

    /** Is that a token of a partition of this cluster? */
    boolean knows(String token);

    /** Is that another node than this one, and not known to be gone? */
    boolean lives(int node);

    /** Where a node takes pages from others. */
    InetSocketAddress address(int node);

    /** By which nodes prove themselves to each other, both sides. */
    SSLContext tls();
}
