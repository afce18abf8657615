/**
 * Who a caller is and who may know it: privacy of callers (RFC 3323) and signed identities (RFC
 * 8224).
 */
@NullMarked
package io.carillon.servlet.feature.identity;

import org.jspecify.annotations.NullMarked;
