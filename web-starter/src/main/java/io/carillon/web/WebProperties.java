package io.carillon.web;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The {@code carillon.web} properties.
 *
 * @param incoming whether calls to {@code sip:USER@here} go to the user's phone and are shown on
 *     his pages
 * @param accounts who may use the API, by name
 * @param destinations SIP URIs that a call may name by a word
 * @param allowed hosts that a call may name by a SIP URI; {@code .example.com} stands for all below
 *     it
 * @param hosts names by which this server is known, beside its addresses and localhost; {@code
 *     .example.com} stands for all below it, {@code *} for every name
 * @param noAnswer how long each phone rings
 * @param longestCall when a call is ended
 * @param callsPerUser calls of one user at a time
 * @param callsInAll calls of all users at a time
 * @param streamsPerUser event streams of one user at a time; the oldest ends for a new one
 * @param signedIn how long a sign-in holds
 * @param pagesInMemory whether the files of {@code static/} are read once and served from memory
 */
@ConfigurationProperties("carillon.web")
public record WebProperties(
        @DefaultValue("true") boolean incoming,
        @DefaultValue({}) Map<String, Account> accounts,
        @DefaultValue({}) Map<String, String> destinations,
        @DefaultValue({}) List<String> allowed,
        @DefaultValue({}) List<String> hosts,
        @DefaultValue("30s") Duration noAnswer,
        @DefaultValue("4h") Duration longestCall,
        @DefaultValue("2") int callsPerUser,
        @DefaultValue("20000") int callsInAll,
        @DefaultValue("4") int streamsPerUser,
        @DefaultValue("8h") Duration signedIn,
        @DefaultValue("false") boolean pagesInMemory) {

    /**
     * A user.
     *
     * @param password encoded, as {@code {bcrypt}$2a$10$...}; {@code {noop}} stands before one as
     *     it is
     * @param phone SIP URI of the phone that rings first
     */
    public record Account(String password, String phone) {
        /** Without the password. */
        @Override
        public String toString() {
            return "Account[phone=" + phone + "]";
        }
    }
}
