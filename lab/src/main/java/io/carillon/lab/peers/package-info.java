/**
 * The servers that Carillon is compared with: how each is fetched, configured and started. They are
 * processes of their own; no class of theirs is on Carillon's class path.
 */
@NullMarked
package io.carillon.lab.peers;

import org.jspecify.annotations.NullMarked;
