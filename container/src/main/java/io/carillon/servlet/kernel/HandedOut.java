package io.carillon.servlet.kernel;

import io.carillon.servlet.header.ServletAddress;
import io.carillon.servlet.header.ServletUri;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.uri.Uri;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one message that an application was given: made when it asks for the first of
 * them, as most messages are only passed on. Owner: the message's.
 */
final class HandedOut {
    @Nullable ArrayList<LiveHeader> live;

    /** Did the application change one of the live objects since the message agreed with them? */
    boolean dirty;

    /** The Request-URI, and its value when message and object last agreed. */
    @Nullable ServletUri requestUri;

    @Nullable Uri agreedUri;

    /** From and To, and their values when message and object last agreed. */
    @Nullable ServletAddress from;

    @Nullable NameAddress agreedFrom;
    @Nullable ServletAddress to;
    @Nullable NameAddress agreedTo;
}
