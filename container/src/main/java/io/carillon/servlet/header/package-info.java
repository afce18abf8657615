/**
 * Values of headers as applications hold them: addresses, URIs, parameterables, and which header
 * may be written by whom.
 */
@NullMarked
package io.carillon.servlet.header;

import org.jspecify.annotations.NullMarked;
