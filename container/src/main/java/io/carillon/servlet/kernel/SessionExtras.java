package io.carillon.servlet.kernel;

import javax.servlet.sip.ar.SipTargetedRequestType;
import org.jspecify.annotations.Nullable;

/** What few sessions have; made for those. Owner: the turn of the application session. */
final class SessionExtras {
    @Nullable AnsweredChallenges challenges;

    @Nullable RefreshTimer timer;

    /** Which session the Join or Replaces that began this one names, by its number; or -1. */
    int corresponds = -1;

    @Nullable SipTargetedRequestType correspondsBy;

    /** Does the Join or Replaces that began this one's session name the session of that number? */
    boolean names(int ordinal, SipTargetedRequestType by) {
        return correspondsBy == by && corresponds == ordinal;
    }
}
