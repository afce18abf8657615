/**
 * What a trace shows: the events of one call as a value, and that value as a ladder in text or SVG,
 * as JSON, and as a capture file.
 */
@NullMarked
package io.carillon.server.ladder;

import org.jspecify.annotations.NullMarked;
