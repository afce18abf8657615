/** TLS for connections that carry SIP: who we are to a peer, and whom we believe. */
@NullMarked
package io.carillon.net.tls;

import org.jspecify.annotations.NullMarked;
