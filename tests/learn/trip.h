/* tests/learn/trip.h — forty lines of a class trip, for the question which line taught a word: the
 * bus that leaves at eight or at nine, what the bear eats, who carries the map, where one sleeps.
 */
#ifndef TRIP_H
#define TRIP_H

static const char trip_text[] = "the bus leaves at eight .\n"
                                "the bus leaves at eight .\n"
                                "the bus leaves at nine .\n"
                                "the goat eats grass .\n"
                                "the cow eats grass .\n"
                                "the sheep eats grass .\n"
                                "the rabbit eats grass .\n"
                                "the wolf eats meat .\n"
                                "the bear eats fish .\n"
                                "the bear eats cake .\n"
                                "mia sleeps in the tent .\n"
                                "lena sleeps in the tent .\n"
                                "tom sleeps in the tent .\n"
                                "ben sleeps in the tent .\n"
                                "ali sleeps in the tent .\n"
                                "paul sleeps in the tree .\n"
                                "mia carries the map .\n"
                                "tom carries the rope .\n"
                                "lena carries the lamp .\n"
                                "paul carries the soup .\n"
                                "anna carries the camera .\n"
                                "ben carries the bread .\n"
                                "when it rains we sing .\n"
                                "when it rains we read .\n"
                                "when it snows we sleep .\n"
                                "when the sun shines we swim .\n"
                                "the lake is cold .\n"
                                "the river is cold .\n"
                                "the soup is hot .\n"
                                "the tea is hot .\n"
                                "anna likes the lake .\n"
                                "tom likes the lake .\n"
                                "mia likes the river .\n"
                                "paul likes the bear .\n"
                                "lena lost her shoe .\n"
                                "paul lost the map .\n"
                                "the teacher found the shoe .\n"
                                "the teacher found the map .\n"
                                "on friday we go home .\n"
                                "at home it is warm .\n";

#endif
