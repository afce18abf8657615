package io.carillon.net.shard;

import io.carillon.net.count.LoopCounts;
import io.carillon.net.count.NetworkCounter;
import io.netty.channel.Channel;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.DefaultChannelPromise;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/**
 * The end of one write: a failure is counted and reported, a success is nothing. One object per
 * message instead of a promise and a listener. Owner: the channel's loop.
 */
public final class ReportingPromise extends DefaultChannelPromise {

    private final LoopCounts tally;
    private final NetworkCounter counter;
    private final @Nullable FailureReport report;

    public ReportingPromise(
            Channel channel,
            LoopCounts tally,
            NetworkCounter counter,
            @Nullable FailureReport report) {
        super(channel);
        this.tally = tally;
        this.counter = counter;
        this.report = report;
    }

    @Override
    public boolean tryFailure(Throwable cause) {
        boolean first = super.tryFailure(cause);
        if (first) {
            tally.count(counter);
            if (report != null) {
                report.report(words(cause));
            }
        }
        return first;
    }

    /** A failure in words for logs. */
    public static String words(Throwable cause) {
        if (cause instanceof ClosedChannelException) {
            return "the connection was closed";
        }
        if (cause instanceof ConnectTimeoutException) {
            return "the connection was not open in time";
        }
        String text = cause.getMessage();
        return text == null ? cause.getClass().getSimpleName() : text;
    }
}
