package io.carillon.examples.clicktocall;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * How many calls run. While more than half of the places are taken, the visitors of one source have
 * a share of those that others leave: who sends no cookie is another visitor each time. Any thread,
 * one lock; a source has an entry for as long as it has a call.
 */
final class RunningCalls {
    private final int most;
    private final int sharePercent;
    private final Map<String, Integer> ofSources = new HashMap<>();
    private int taken;

    /**
     * @param most places
     * @param sharePercent of those that others leave, of one source
     */
    RunningCalls(int most, int sharePercent) {
        this.most = most;
        this.sharePercent = sharePercent;
    }

    /** Takes a place, or answers false. */
    synchronized boolean begin(String source) {
        int own = ofSources.getOrDefault(source, 0);
        long share = Math.max(1, (long) (most - (taken - own)) * sharePercent / 100);
        if (taken >= most || (taken >= most / 2 && own >= share)) {
            return false;
        }
        taken++;
        ofSources.put(source, own + 1);
        return true;
    }

    /** Gives a place back; a call from before a start has none. */
    synchronized void end(String source) {
        Integer own = ofSources.get(source);
        if (own != null) {
            taken--;
            if (own == 1) {
                ofSources.remove(source);
            } else {
                ofSources.put(source, own - 1);
            }
        }
    }

    /**
     * For whom a visitor counts: a user for himself, others for their address (IPv6: 64 bits).
     *
     * @param user who has signed in, or null
     * @param address in digits
     */
    static String source(String user, String address) {
        if (user != null) {
            return "user " + user;
        }
        if (address.indexOf(':') < 0) {
            return address;
        }
        try {
            byte[] bytes = InetAddress.getByName(address).getAddress();
            return new BigInteger(Arrays.copyOf(bytes, 8)).toString(16);
        } catch (UnknownHostException e) {
            return address;
        }
    }
}
