package io.carillon.net.udp;

import static io.carillon.net.udp.FilterProgram.ADD;
import static io.carillon.net.udp.FilterProgram.AND;
import static io.carillon.net.udp.FilterProgram.FROM_INDEX;
import static io.carillon.net.udp.FilterProgram.IF_ABOVE;
import static io.carillon.net.udp.FilterProgram.IF_AT_LEAST;
import static io.carillon.net.udp.FilterProgram.IF_EQUAL;
import static io.carillon.net.udp.FilterProgram.IF_EQUAL_INDEX;
import static io.carillon.net.udp.FilterProgram.INDEX_CONSTANT;
import static io.carillon.net.udp.FilterProgram.INDEX_MEMORY;
import static io.carillon.net.udp.FilterProgram.LOAD_BYTE_AT_INDEX;
import static io.carillon.net.udp.FilterProgram.LOAD_CONSTANT;
import static io.carillon.net.udp.FilterProgram.LOAD_LENGTH;
import static io.carillon.net.udp.FilterProgram.LOAD_MEMORY;
import static io.carillon.net.udp.FilterProgram.LOAD_WORD_AT;
import static io.carillon.net.udp.FilterProgram.LOAD_WORD_AT_INDEX;
import static io.carillon.net.udp.FilterProgram.MULTIPLY;
import static io.carillon.net.udp.FilterProgram.OR;
import static io.carillon.net.udp.FilterProgram.OR_INDEX;
import static io.carillon.net.udp.FilterProgram.REMAINDER;
import static io.carillon.net.udp.FilterProgram.RETURN;
import static io.carillon.net.udp.FilterProgram.RETURN_CONSTANT;
import static io.carillon.net.udp.FilterProgram.SHIFT_LEFT;
import static io.carillon.net.udp.FilterProgram.SHIFT_RIGHT;
import static io.carillon.net.udp.FilterProgram.STORE;
import static io.carillon.net.udp.FilterProgram.STORE_INDEX;
import static io.carillon.net.udp.FilterProgram.SUBTRACT;
import static io.carillon.net.udp.FilterProgram.SUBTRACT_INDEX;
import static io.carillon.net.udp.FilterProgram.TO_INDEX;
import static io.carillon.net.udp.FilterProgram.XOR_INDEX;

import io.carillon.net.udp.FilterProgram.Label;
import io.carillon.sip.token.OwnTokens;
import io.carillon.sip.token.Ownership;
import io.carillon.sip.token.ShardSelector;
import io.carillon.sip.token.ShardToken;

/**
 * What {@link ShardSelector} does, as a program that the kernel runs for each datagram of a shared
 * port (SO_ATTACH_REUSEPORT_CBPF, socket(7)), so that it puts a message into the socket of the
 * shard that it belongs to: a response by the first token of ours in it, a request by that of the
 * first Route of ours, of its To tag, or by the hash of its Call-ID. In a cluster it does what
 * {@link io.carillon.sip.token.Partitions} does, but for the seals: it has no key.
 *
 * <p>It is a hint: the loop that reads a message decides, and passes on what is another's. What the
 * program cannot read lies in the socket that the addresses give. It cannot read compact names,
 * names behind {@link #REACH} bytes, a Call-ID that is longer than {@link #LONGEST_CALL_ID} or has
 * more than one blank before it. It looks at fixed distances, because the kernel's classic programs
 * cannot go back; they need no privilege.
 */
final class SocketChoice {
    /** Bytes of a request in which Route and Call-ID are looked for. */
    static final int REACH = 448;

    /** Bytes of a request in which To is looked for. */
    static final int REACH_OF_TO = 304;

    /** Bytes of a response in which the branch is looked for. */
    static final int REACH_OF_BRANCH = 144;

    /** Bytes behind the name of To in which the tag is looked for. */
    private static final int REACH_OF_TAG = 80;

    /** Characters of a Call-ID. */
    static final int LONGEST_CALL_ID = 64;

    /** No message of SIP has what is looked for before. */
    private static final int FIRST = 24;

    /** Bytes that are looked at before the length of the message is looked at again. */
    private static final int BLOCK = 16;

    /** Of what is looked for, words at every second place are enough when there are two of them. */
    private static final int STEP = 2;

    /** More than any socket's number: the kernel goes by the addresses. */
    private static final int BY_ADDRESS = -1;

    private static final int AS_IT_IS = 0;
    private static final int LOWER_CASE = 0x20202020;

    private static final int INDEX = 0;
    private static final int HASH = 1;
    private static final int TAIL = 2;
    private static final int WORK = 3;
    private static final int SHARD = 4;

    private final FilterProgram program = new FilterProgram();
    private final int number;
    private final boolean partitions;
    private final int shards;
    private final Label request = new Label();
    private final Label token = new Label();
    private final Label noToken = new Label();
    private final Label value = new Label();
    private final Label unknown = new Label();

    private SocketChoice(int number, boolean partitions, int shards) {
        this.number = number;
        this.partitions = partitions;
        this.shards = shards;
    }

    /**
     * The program for these tokens and so many sockets, in the order of their shards.
     *
     * @param tokens of the node, or of its cluster: then the socket is that of the partition
     * @return {@code struct sock_filter}s
     */
    static long[] program(OwnTokens tokens, int shards) {
        return new SocketChoice(tokens.number(), tokens.cluster() != null, shards).written();
    }

    private long[] written() {
        Label enough = new Label();
        Label response = new Label();
        program.put(LOAD_LENGTH).when(IF_AT_LEAST, FIRST, enough).jump(unknown).here(enough);
        program.put(LOAD_WORD_AT, 0).when(IF_EQUAL, word("SIP/"), response).jump(request);
        program.here(response);
        byBranch();
        program.here(request);
        byRoute();
        byTag();
        readToken();
        program.here(noToken);
        byCallId();
        program.here(unknown).put(RETURN_CONSTANT, BY_ADDRESS);
        return program.instructions();
    }

    private static int word(String four) {
        return four.charAt(0) << 24 | four.charAt(1) << 16 | four.charAt(2) << 8 | four.charAt(3);
    }

    /** The magic cookie's last letter stands before the token. */
    private void byBranch() {
        Label near = new Label();
        scan(REACH_OF_BRANCH, AS_IT_IS, 0, near, unknown, "Kcrl", "crln");
        program.here(near);
        refine("crln", 0, token);
        program.jump(unknown);
    }

    private void byRoute() {
        Label near = new Label();
        Label none = new Label();
        scan(REACH, AS_IT_IS, 0, near, none, ";crl", "crl=");
        program.here(near);
        refine("crl=", "crl=".length(), token);
        program.here(none);
    }

    private void byTag() {
        Label near = new Label();
        Label line = new Label();
        scan(REACH_OF_TO, AS_IT_IS, 0, near, noToken, "\nTo:", "\r\nTo");
        program.here(near);
        refine("\nTo:", 0, line);
        program.jump(noToken);
        program.here(line).put(TO_INDEX);
        Label tag = new Label();
        for (int at = 0; at < REACH_OF_TAG; at += BLOCK) {
            Label readable = new Label();
            Label here = new Label();
            Label next = new Label();
            program.put(LOAD_LENGTH).put(SUBTRACT_INDEX);
            program.when(IF_AT_LEAST, at + 2 * BLOCK, readable).jump(noToken).here(readable);
            for (int i = 0; i < BLOCK; i += STEP) {
                program.put(LOAD_WORD_AT_INDEX, at + i);
                program.when(IF_EQUAL, word("g=cr"), here).when(IF_EQUAL, word("=crl"), here);
            }
            program.jump(next);
            program.here(here).put(FROM_INDEX).put(ADD, at).put(TO_INDEX).jump(tag);
            program.here(next);
        }
        program.jump(noToken);
        program.here(tag);
        refine("=crl", 1, token);
        program.jump(noToken);
    }

    private void byCallId() {
        Label near = new Label();
        Label readable = new Label();
        // Not the name's first half, which is in many an identifier, nor its end, which other
        // names have.
        scan(REACH, LOWER_CASE, "cal".length(), near, unknown, "ll-i", "l-id");
        program.here(near).put(LOAD_LENGTH).put(SUBTRACT_INDEX);
        program.when(IF_AT_LEAST, 2 * BLOCK, readable).jump(unknown).here(readable);
        for (int i = 0; i < BLOCK; i++) {
            Label next = new Label();
            program.put(LOAD_WORD_AT_INDEX, i).put(OR, LOWER_CASE);
            program.unless(IF_EQUAL, word("call"), next);
            program.put(LOAD_WORD_AT_INDEX, i + 4).put(OR, LOWER_CASE);
            program.unless(IF_EQUAL, word("-id:"), next);
            program.put(FROM_INDEX).put(ADD, i + "call-id:".length()).jump(value);
            program.here(next);
        }
        program.jump(unknown);
        hashValue();
    }

    /**
     * Looks for one of two words, the second of which is one place behind the first in what is
     * looked for, and goes on with the index register at the block where one is.
     *
     * @param also bits set in what is looked at
     * @param before what the index register is less than the block's start
     */
    private void scan(
            int reach, int also, int before, Label near, Label notFound, String one, String other) {
        for (int at = FIRST; at < FIRST + reach; at += BLOCK) {
            Label here = new Label();
            Label ended = new Label();
            Label next = new Label();
            program.put(LOAD_LENGTH).unless(IF_AT_LEAST, at + BLOCK + 4, ended);
            for (int i = 0; i < BLOCK; i += STEP) {
                program.put(LOAD_WORD_AT, at + i);
                if (also != 0) {
                    program.put(OR, also);
                }
                program.when(IF_EQUAL, word(one), here).when(IF_EQUAL, word(other), here);
            }
            program.jump(next);
            program.here(here).put(INDEX_CONSTANT, at - before).jump(near);
            program.here(ended).jump(notFound);
            program.here(next);
        }
        program.jump(notFound);
    }

    /**
     * From the block where a word is to the word's own place, which goes into the accumulator.
     *
     * @param behind added to the place
     */
    private void refine(String word, int behind, Label found) {
        for (int i = 0; i < BLOCK; i++) {
            Label next = new Label();
            program.put(LOAD_WORD_AT_INDEX, i).unless(IF_EQUAL, word(word), next);
            program.put(FROM_INDEX).put(ADD, i + behind).jump(found);
            program.here(next);
        }
    }

    /** The accumulator has the token's place. */
    private void readToken() {
        Label foreign = new Label();
        Label readable = new Label();
        program.here(token).put(TO_INDEX).put(STORE_INDEX, INDEX);
        program.put(LOAD_LENGTH).put(SUBTRACT_INDEX);
        program.when(IF_AT_LEAST, ShardToken.LENGTH, readable).jump(noToken);
        program.here(readable);
        program.put(LOAD_CONSTANT, ShardToken.seed(number)).put(STORE, HASH);
        for (int i = 0; i < ShardToken.CHANCE_LENGTH; i += 4) {
            program.put(LOAD_WORD_AT_INDEX, ShardToken.CHANCE + i);
            program.put(INDEX_MEMORY, HASH).put(XOR_INDEX).put(MULTIPLY, ShardToken.MIX);
            takeItself(ShardToken.MIX_SHIFT);
            program.put(STORE, HASH).put(INDEX_MEMORY, INDEX);
        }
        program.put(LOAD_MEMORY, HASH).put(MULTIPLY, ShardToken.MIX);
        program.put(SHIFT_RIGHT, ShardToken.MASK_SHIFT).put(STORE, HASH);
        program.put(LOAD_CONSTANT, 0).put(STORE, TAIL);
        for (int i = ShardToken.TAIL; i < ShardToken.LENGTH; i++) {
            Label letter = new Label();
            Label digit = new Label();
            program.put(INDEX_MEMORY, INDEX).put(LOAD_BYTE_AT_INDEX, i);
            program.when(IF_AT_LEAST, 'a', letter).put(SUBTRACT, '0').jump(digit);
            program.here(letter).put(SUBTRACT, 'a' - 10).here(digit);
            program.put(STORE, WORK).put(LOAD_MEMORY, TAIL).put(SHIFT_LEFT, 5);
            program.put(INDEX_MEMORY, WORK).put(OR_INDEX).put(STORE, TAIL);
        }
        program.put(LOAD_MEMORY, HASH).put(AND, 1023).put(STORE, WORK);
        program.put(LOAD_MEMORY, TAIL).put(SHIFT_RIGHT, 10);
        program.put(INDEX_MEMORY, WORK).put(XOR_INDEX).put(STORE, SHARD);
        program.put(MULTIPLY, ShardToken.CHECK_FACTOR).put(STORE, WORK);
        program.put(LOAD_MEMORY, HASH).put(SHIFT_RIGHT, 10);
        program.put(INDEX_MEMORY, WORK).put(XOR_INDEX).put(AND, 1023).put(STORE, WORK);
        program.put(LOAD_MEMORY, TAIL).put(AND, 1023).put(INDEX_MEMORY, WORK);
        program.unless(IF_EQUAL_INDEX, 0, foreign);
        program.put(LOAD_MEMORY, SHARD);
        if (partitions) {
            program.put(REMAINDER, shards).put(RETURN);
        } else {
            program.when(IF_AT_LEAST, shards, foreign).put(RETURN);
        }
        program.here(foreign);
    }

    /** The accumulator has the place behind the colon: one space may follow, then the Call-ID. */
    private void hashValue() {
        Label bare = new Label();
        program.here(value).put(TO_INDEX);
        program.put(LOAD_BYTE_AT_INDEX, 0).unless(IF_EQUAL, ' ', bare);
        program.put(FROM_INDEX).put(ADD, 1).put(TO_INDEX);
        program.here(bare).put(STORE_INDEX, INDEX);
        program.put(LOAD_CONSTANT, ShardSelector.HASH_START).put(STORE, HASH);
        Label hashed = new Label();
        for (int i = 0; i < LONGEST_CALL_ID; i++) {
            if (i % 8 == 0) {
                Label readable = new Label();
                program.put(LOAD_LENGTH).put(SUBTRACT_INDEX);
                program.when(IF_AT_LEAST, i + 8, readable).jump(unknown).here(readable);
            }
            Label character = new Label();
            program.put(LOAD_BYTE_AT_INDEX, i);
            program.when(IF_ABOVE, ' ', character).jump(i == 0 ? unknown : hashed).here(character);
            program.put(INDEX_MEMORY, HASH).put(XOR_INDEX).put(MULTIPLY, ShardSelector.HASH_FACTOR);
            program.put(STORE, HASH).put(INDEX_MEMORY, INDEX);
        }
        program.jump(unknown);
        program.here(hashed).put(LOAD_MEMORY, HASH);
        takeItself(ShardSelector.HASH_SHIFT);
        program.put(MULTIPLY, ShardSelector.HASH_FINISH);
        takeItself(ShardSelector.HASH_LAST_SHIFT);
        if (partitions) {
            program.put(AND, Ownership.PARTITIONS - 1);
        }
        program.put(REMAINDER, shards).put(RETURN);
    }

    /**
     * The accumulator, and it shifted to the right, by exclusive or; what the index had is gone.
     */
    private void takeItself(int bits) {
        program.put(TO_INDEX).put(SHIFT_RIGHT, bits).put(XOR_INDEX);
    }
}
