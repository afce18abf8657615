/** What the network counts: one array of counts per event loop, added up when read. */
@NullMarked
package io.carillon.net.count;

import org.jspecify.annotations.NullMarked;
