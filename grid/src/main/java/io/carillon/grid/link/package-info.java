/** How nodes reach each other: one port, TLS by a shared key, members, proof of death. */
@NullMarked
package io.carillon.grid.link;

import org.jspecify.annotations.NullMarked;
