/** Sessions and their turns: state, keys, expiry, invalidation. */
@NullMarked
package io.carillon.servlet.session;

import org.jspecify.annotations.NullMarked;
