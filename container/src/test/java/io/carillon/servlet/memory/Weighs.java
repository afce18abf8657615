package io.carillon.servlet.memory;

import io.carillon.servlet.feature.store.SessionStores;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/**
 * A test that weighs what it makes. It runs in a Java of its own (the module's {@code pom.xml}): in
 * one where other tests have left their servers, each look at the heap takes ten times as long. Its
 * nodes have stores of their own, so a run with another store would weigh the same once more.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("weighs")
@DisabledIfSystemProperty(
        named = SessionStores.ROUND_TRIP,
        matches = "true",
        disabledReason = "its nodes have a store of their own: it would be measured twice")
@interface Weighs {}
