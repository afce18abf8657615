/** What a shard counts and shows of its messages, and where errors of layers above end. */
@NullMarked
package io.carillon.sip.observe;

import org.jspecify.annotations.NullMarked;
