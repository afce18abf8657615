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
import io.carillon.sip.stack.ShardSelector;
import io.carillon.sip.stack.ShardToken;

/**
 * What {@link ShardSelector} does, as a program that the kernel runs for each datagram of a shared
 * port (SO_ATTACH_REUSEPORT_CBPF, socket(7)), so that it puts a message into the socket of the
 * shard that it belongs to: the first token of ours in it says which, else the hash of its Call-ID.
 *
 * <p>It is a hint. A message that it cannot read (a long way to the Call-ID, a compact name, a
 * foreign token that looks like one of ours) lies in the socket that the addresses give, and its
 * loop passes it on. It reads what it needs at fixed distances, because the kernel's classic
 * programs cannot go back; they need no privilege.
 */
final class SocketChoice {
    /** Bytes of a message in which the token and the name of the Call-ID are looked for. */
    static final int REACH = 640;

    /** Characters of a Call-ID; a longer one is not read. */
    static final int LONGEST_CALL_ID = 96;

    /** No message of SIP has a token or a Call-ID before. */
    private static final int FIRST = 24;

    private static final int BLOCK = 16;

    /** More than any socket's number: the kernel goes by the addresses. */
    private static final int BY_ADDRESS = -1;

    private static final int LOWER_CASE = 0x20202020;

    private static final int INDEX = 0;
    private static final int HASH = 1;
    private static final int TAIL = 2;
    private static final int WORK = 3;
    private static final int SHARD = 4;

    private final FilterProgram program = new FilterProgram();
    private final int node;
    private final int shards;
    private final Label mark = new Label();
    private final Label token = new Label();
    private final Label noToken = new Label();
    private final Label name = new Label();
    private final Label value = new Label();
    private final Label hashed = new Label();
    private final Label unknown = new Label();

    private SocketChoice(int node, int shards) {
        this.node = node;
        this.shards = shards;
    }

    /**
     * The program for this node's tokens and so many sockets, in the order of their shards.
     *
     * @return {@code struct sock_filter}s
     */
    static long[] program(int node, int shards) {
        SocketChoice choice = new SocketChoice(node, shards);
        choice.scan(2, 0, choice.mark, choice.noToken, word("crln"), word("rln0"));
        choice.markFound();
        choice.tokenFound();
        choice.program.here(choice.noToken);
        // Not the first half of "call-id: ", which is in many an identifier.
        choice.scan(
                4,
                LOWER_CASE,
                choice.name,
                choice.unknown,
                word("l-id"),
                word("ll-i"),
                word("-id:"),
                word("id: "));
        choice.nameFound();
        choice.valueFound();
        choice.program.here(choice.unknown).put(RETURN_CONSTANT, BY_ADDRESS);
        return choice.program.instructions();
    }

    private static int word(String four) {
        return four.charAt(0) << 24 | four.charAt(1) << 16 | four.charAt(2) << 8 | four.charAt(3);
    }

    /**
     * Looks at every {@code step}th place of the message for one of the words, and goes on with the
     * index register at the block where one is.
     *
     * @param also bits set in what is looked at
     */
    private void scan(int step, int also, Label found, Label notFound, int... words) {
        for (int at = FIRST; at < FIRST + REACH; at += BLOCK) {
            Label here = new Label();
            Label ended = new Label();
            Label next = new Label();
            program.put(LOAD_LENGTH).unless(IF_AT_LEAST, at + BLOCK + 4, ended);
            for (int i = 0; i < BLOCK; i += step) {
                program.put(LOAD_WORD_AT, at + i);
                if (also != 0) {
                    program.put(OR, also);
                }
                for (int word : words) {
                    program.when(IF_EQUAL, word, here);
                }
            }
            program.jump(next);
            // What is looked for next begins up to two places before the word.
            program.here(here).put(INDEX_CONSTANT, at - 2).jump(found);
            program.here(ended).jump(notFound);
            program.here(next);
        }
        program.jump(notFound);
    }

    /** The index register is at the block's start, less two: to the token's start. */
    private void markFound() {
        program.here(mark);
        for (int i = 1; i <= BLOCK; i++) {
            Label next = new Label();
            program.put(LOAD_WORD_AT_INDEX, i).unless(IF_EQUAL, word("crln"), next);
            program.put(FROM_INDEX).put(ADD, i).jump(token);
            program.here(next);
        }
        program.jump(noToken);
    }

    /** The accumulator has the token's place. */
    private void tokenFound() {
        Label foreign = new Label();
        Label readable = new Label();
        program.here(token).put(TO_INDEX).put(STORE_INDEX, INDEX);
        program.put(LOAD_LENGTH).put(SUBTRACT_INDEX);
        program.when(IF_AT_LEAST, ShardToken.LENGTH, readable).jump(noToken);
        program.here(readable);
        program.put(LOAD_CONSTANT, ShardToken.seed(node)).put(STORE, HASH);
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
        program.put(LOAD_MEMORY, SHARD).when(IF_AT_LEAST, shards, foreign).put(RETURN);
        program.here(foreign);
    }

    /** The index register is at the block's start, less two: to behind the colon. */
    private void nameFound() {
        Label readable = new Label();
        program.here(name).put(LOAD_LENGTH).put(SUBTRACT_INDEX);
        program.when(IF_AT_LEAST, 2 * BLOCK, readable).jump(unknown);
        program.here(readable);
        for (int i = 0; i < BLOCK; i++) {
            Label next = new Label();
            program.put(LOAD_WORD_AT_INDEX, i).put(OR, LOWER_CASE);
            program.unless(IF_EQUAL, word("l-id"), next);
            program.put(FROM_INDEX).put(ADD, i + "l-id:".length()).jump(value);
            program.here(next);
        }
        program.jump(unknown);
    }

    /** The accumulator has the place behind the colon: one space may follow, then the Call-ID. */
    private void valueFound() {
        Label bare = new Label();
        program.here(value).put(TO_INDEX);
        program.put(LOAD_BYTE_AT_INDEX, 0).unless(IF_EQUAL, ' ', bare);
        program.put(FROM_INDEX).put(ADD, 1).put(TO_INDEX);
        program.here(bare).put(STORE_INDEX, INDEX);
        program.put(LOAD_CONSTANT, ShardSelector.HASH_START).put(STORE, HASH);
        for (int i = 0; i < LONGEST_CALL_ID; i++) {
            if (i % 8 == 0) {
                Label readable = new Label();
                program.put(LOAD_LENGTH).put(SUBTRACT_INDEX);
                program.when(IF_AT_LEAST, i + 8, readable).jump(unknown).here(readable);
            }
            Label character = new Label();
            program.put(LOAD_BYTE_AT_INDEX, i);
            program.when(IF_ABOVE, ' ', character).jump(hashed).here(character);
            program.put(INDEX_MEMORY, HASH).put(XOR_INDEX).put(MULTIPLY, ShardSelector.HASH_FACTOR);
            program.put(STORE, HASH).put(INDEX_MEMORY, INDEX);
        }
        program.jump(unknown);
        program.here(hashed).put(LOAD_MEMORY, HASH);
        takeItself(ShardSelector.HASH_SHIFT);
        program.put(MULTIPLY, ShardSelector.HASH_FINISH);
        takeItself(ShardSelector.HASH_LAST_SHIFT);
        program.put(REMAINDER, shards).put(RETURN);
    }

    /**
     * The accumulator, and it shifted to the right, by exclusive or; what the index had is gone.
     */
    private void takeItself(int bits) {
        program.put(TO_INDEX).put(SHIFT_RIGHT, bits).put(XOR_INDEX);
    }
}
