/** Call detail records: what every call and each of its legs came to, and where that is kept. */
@NullMarked
package io.carillon.telemetry.records;

import org.jspecify.annotations.NullMarked;
