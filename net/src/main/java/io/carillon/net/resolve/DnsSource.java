package io.carillon.net.resolve;

import java.util.concurrent.CompletionStage;
import org.xbill.DNS.Message;

/** Who is asked: DNS servers, or a script in a test. Any thread; must not block. */
@FunctionalInterface
public interface DnsSource extends AutoCloseable {
    /** Asks; completes with the answer of a server, or with an exception when none gave one. */
    CompletionStage<Message> ask(Message question);

    @Override
    default void close() {}
}
