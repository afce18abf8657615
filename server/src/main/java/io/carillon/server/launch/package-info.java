/**
 * How the JVM of a server is started: its options for this machine, and the start cache. Runs in a
 * small JVM before the server's, from the server's own jar alone: no library is there.
 */
@NullMarked
package io.carillon.server.launch;

import org.jspecify.annotations.NullMarked;
