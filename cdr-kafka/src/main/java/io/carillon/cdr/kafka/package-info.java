/** Call detail records for Apache Kafka. */
@NullMarked
package io.carillon.cdr.kafka;

import org.jspecify.annotations.NullMarked;
