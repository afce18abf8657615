package io.carillon.server.log;

import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.Marker;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.filter.AbstractFilter;
import org.apache.logging.log4j.message.Message;
import org.jspecify.annotations.Nullable;

/**
 * Lets lines pass that {@link RaisedLevels} want, whatever the level of their logger. Asked before
 * a line is made, on its thread. The other ways to ask lead to the first of these.
 */
final class RaisedFilter extends AbstractFilter {
    private final RaisedLevels levels;

    RaisedFilter(RaisedLevels levels) {
        super(Result.ACCEPT, Result.NEUTRAL);
        this.levels = levels;
    }

    private Result asked(Level level) {
        return levels.wants(level) ? Result.ACCEPT : Result.NEUTRAL;
    }

    @Override
    public Result filter(
            Logger logger,
            Level level,
            @Nullable Marker marker,
            @Nullable String message,
            Object @Nullable ... values) {
        return asked(level);
    }

    @Override
    public Result filter(
            Logger logger,
            Level level,
            @Nullable Marker marker,
            @Nullable Object message,
            @Nullable Throwable thrown) {
        return asked(level);
    }

    @Override
    public Result filter(
            Logger logger,
            Level level,
            @Nullable Marker marker,
            @Nullable Message message,
            @Nullable Throwable thrown) {
        return asked(level);
    }
}
