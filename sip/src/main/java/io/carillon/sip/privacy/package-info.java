/** Privacy and asserted identities (RFC 3323, 3325, 7044): what may pass the border of trust. */
@NullMarked
package io.carillon.sip.privacy;

import org.jspecify.annotations.NullMarked;
