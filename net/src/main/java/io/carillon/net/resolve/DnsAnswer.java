package io.carillon.net.resolve;

import java.util.List;
import org.xbill.DNS.Record;

/** What became of a question. Immutable. */
public sealed interface DnsAnswer {
    /** Records of the type that was asked for, at least one; aliases have been followed. */
    record Found(List<Record> records) implements DnsAnswer {}

    /** There are none. */
    record Missing() implements DnsAnswer {}

    /** Nobody said whether there are any. */
    record Failed() implements DnsAnswer {}

    /** There are none. */
    static Missing missing() {
        return new Missing();
    }

    /** Nobody said. */
    static Failed failed() {
        return new Failed();
    }

    /** The records, or none. */
    default List<Record> list() {
        return this instanceof Found found ? found.records() : List.of();
    }
}
