package io.carillon.servlet.feature.protect;

import io.carillon.servlet.kernel.TakeOver;
import org.jspecify.annotations.Nullable;

/**
 * How well one call is protected. Immutable.
 *
 * @param partition that it belongs to
 * @param stored sequence of the last state that two nodes hold; 0 for none
 * @param ageMillis since when they hold it; -1 when they hold none
 * @param why it would not outlive this node; null when it would, or when there is nothing to keep
 * @param missing what of it cannot be written, for people; null for nothing
 * @param waiting messages that wait for its record
 * @param takenOver how it came here from another node; null for one that began here
 */
public record CallStanding(
        int partition,
        long stored,
        long ageMillis,
        @Nullable Unprotected why,
        @Nullable String missing,
        int waiting,
        @Nullable TakeOver takenOver) {}
