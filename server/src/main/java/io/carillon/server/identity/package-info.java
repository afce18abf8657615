/** Keys and certificates of signed identities: from files and, where allowed, by https. */
@NullMarked
package io.carillon.server.identity;

import org.jspecify.annotations.NullMarked;
