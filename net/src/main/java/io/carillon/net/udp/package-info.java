/** Datagram sockets that read and write in batches. */
@NullMarked
package io.carillon.net.udp;

import org.jspecify.annotations.NullMarked;
