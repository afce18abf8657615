package io.carillon.telemetry.records;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One record, as it is written: of a leg, or of an application's own. A value.
 *
 * <p>Times are of the wall clock, in UTC with milliseconds; spans of time are of a clock that never
 * steps, in seconds.
 *
 * @param record what it is: {@code final}, {@code open} of a leg that goes on, {@code moved} of one
 *     that another node goes on with, {@code lost} of one that was open when the server went away,
 *     or {@code application}
 * @param id of the leg; unique
 * @param call the same for all legs of a call, for forks and for transfers within one application
 * @param node name of this server
 * @param application that had it; null where none had
 * @param version of that application
 * @param applicationSession its id
 * @param direction {@code in} or {@code out}
 * @param role of this server: {@code uas}, {@code uac} or {@code proxy}
 * @param callId Call-ID
 * @param fromTag of its caller
 * @param toTag of its callee
 * @param from address as it was sent
 * @param to likewise
 * @param requestUri likewise
 * @param asserted identity of the caller (RFC 3325), of a peer that is trusted
 * @param privacy value of Privacy
 * @param peer the other end: transport and address
 * @param peerName of the other end in the configuration
 * @param invite when the INVITE came or went
 * @param ring when it rang first
 * @param answer when the 2xx came or went
 * @param end when it was over
 * @param seen when it was last known to be open: of records that are not final
 * @param ringSeconds from invite to ring
 * @param answerSeconds from invite to answer
 * @param talkSeconds from answer to end
 * @param status of the final response, 0 where there was none
 * @param phrase of it
 * @param endedBy who ended it
 * @param endedWith how
 * @param reason Reason (RFC 3326) of BYE, CANCEL or final response
 * @param problem what befell it on the way
 * @param repeatsIn messages that came again
 * @param repeatsOut messages that were sent again
 * @param forks dialogs that its INVITE led to, where there was more than one
 * @param forkOf the leg whose INVITE led to this one too
 * @param linked Call-ID of the leg at the other side of a B2BUA
 * @param referTo where a REFER in it sent a party
 * @param referredBy Referred-By of its INVITE
 * @param replaces Call-ID of the dialog that its INVITE took over (RFC 3891)
 * @param transferOf the call whose REFER led to this one
 * @param codecs lines that name media and codecs
 * @param fields of the application
 * @param takenFrom name of the node of a cluster that had it before this one
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record CallRecord(
        String record,
        String id,
        @Nullable String call,
        String node,
        @Nullable String application,
        @Nullable Integer version,
        @Nullable String applicationSession,
        @Nullable String direction,
        @Nullable String role,
        @Nullable String callId,
        @Nullable String fromTag,
        @Nullable String toTag,
        @Nullable String from,
        @Nullable String to,
        @Nullable String requestUri,
        @Nullable String asserted,
        @Nullable String privacy,
        @Nullable String peer,
        @Nullable String peerName,
        @Nullable String invite,
        @Nullable String ring,
        @Nullable String answer,
        @Nullable String end,
        @Nullable String seen,
        @Nullable Double ringSeconds,
        @Nullable Double answerSeconds,
        @Nullable Double talkSeconds,
        @Nullable Integer status,
        @Nullable String phrase,
        @Nullable String endedBy,
        @Nullable String endedWith,
        @Nullable String reason,
        @Nullable String problem,
        @Nullable Integer repeatsIn,
        @Nullable Integer repeatsOut,
        @Nullable Integer forks,
        @Nullable String forkOf,
        @Nullable String linked,
        @Nullable String referTo,
        @Nullable String referredBy,
        @Nullable String replaces,
        @Nullable String transferOf,
        @Nullable List<String> codecs,
        @Nullable Map<String, Object> fields,
        @Nullable String takenFrom) {

    /** What a record is. */
    static final String FINAL = "final";

    static final String OPEN = "open";
    static final String MOVED = "moved";
    static final String LOST = "lost";
    static final String APPLICATION = "application";

    /** What is left of a leg that was open when the server went away. */
    CallRecord lost() {
        return new CallRecord(
                LOST,
                id,
                call,
                node,
                application,
                version,
                applicationSession,
                direction,
                role,
                callId,
                fromTag,
                toTag,
                from,
                to,
                requestUri,
                asserted,
                privacy,
                peer,
                peerName,
                invite,
                ring,
                answer,
                end,
                seen,
                ringSeconds,
                answerSeconds,
                talkSeconds,
                status,
                phrase,
                endedBy,
                endedWith,
                reason,
                problem,
                repeatsIn,
                repeatsOut,
                forks,
                forkOf,
                linked,
                referTo,
                referredBy,
                replaces,
                transferOf,
                codecs,
                fields,
                takenFrom);
    }
}
